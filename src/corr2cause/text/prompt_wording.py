"""The words of prompts. Those of `ZERO_SHOT` and `STORY` are published ones (Jin et al. 2024, appendices A and B)."""

from __future__ import annotations

QUESTION = "Question: {premise}\nCan we deduct the following: {claim}?"

ZERO_SHOT = f'{QUESTION} Just answer "Yes" or "No."\n\nAnswer:'

# As worked steps end. Whoever only repeats this says both, which is no answer.
THINK = 'Think step by step. The last line must say "Therefore:" and then "Yes." or "No."'

METHOD = """\
You are asked whether a causal claim follows from statistical relations among variables. The relations come from a \
directed acyclic graph without hidden variables, and variables are independent only where the graph implies it. \
Work through the PC algorithm:

1. Skeleton. Start with an edge between every two variables. Remove the edge between u and v if they are independent, \
unconditionally or given some set; remember that set.
2. V-structures. For every two variables u and v without an edge, and every w that has an edge with both: direct \
u->w<-v if w is not in the set that separates u and v.
3. Meek's rules. Direct further edges until no rule applies:
   - if u->v and v--w, and u and w have no edge, then v->w (else there would be another v-structure);
   - if u->v->w and u--w, then u->w (else there would be a cycle);
   - if u--v->x, u--w->x and u--x, and v and w have no edge, then u->x.
4. Class. The graphs that fit are all ways to direct the remaining edges without a cycle and without another \
v-structure.
5. Verdict. The claim follows only if it holds in every one of these graphs; a single graph without it refutes it.

What claims mean:
{definitions}

Number your steps."""

DEFINITION = '- "{claim}": {meaning}.'

STORY = (
    "Here is a causal inference rule: {rule} Please provide a real-world example instantiating this phenomenon. "
    'Format it also as "Premise:", "Hypothesis:", and "Relation between the promise and hypothesis:".'
)

# What the paper calls the symbolic form; how its parts were put together is not published.
RULE = "Premise: {premise} Hypothesis: {hypothesis} Relation between the premise and hypothesis: {relation}"

# By label.
RELATIONS = ("The hypothesis does not follow from the premise.", "The hypothesis follows from the premise.")
