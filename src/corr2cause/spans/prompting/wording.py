"""The sentences of the prompts. They are our own; what they say is what the paper says that its prompts say.

The markers of axis 1 are those of `corr2cause.spans.cues.PROMPT`, which are fewer than the annotators' guideline has.
"""

from __future__ import annotations

EXTRACTION_ROLE = """\
You are an expert in causal relations. Your task is pairwise causal discovery: find every relation of cause and effect \
that a text states.
Give each relation as {Cause, Effect, Causality_Type, Sententiality}."""

DETECTION_ROLE = """\
You are an expert in causal relations. Your task is to say whether a text states at least one relation of cause and \
effect."""

DEFINITION = """\
What counts as a relation
- The cause acts or triggers, the effect is what comes of it. Never mix them up.
- "A can cause B" counts.
- A hedged statement (may, might, could, possibly) is not a fact and does not count.
- A claim that the text only reports ("experts believe that A causes B") does not count.
- Judge by the meaning of the text and by common sense alone. Do not bring in definitions from elsewhere, and do not \
spell out abbreviations."""

AXES = """\
Axis 1, marker (Causality_Type)
- Explicit (M=1): the text has a form of "due to", "results in", "leads to", "causes" or "effect of".
- Implicit (M=0): there is a cause, but none of these markers, as in "A raised B" or "A brought about B".
Axis 2, scope (Sententiality)
- Intra-sentential (B=0): cause and effect stand in one sentence.
- Inter-sentential (B=1): cause and effect stand in different sentences.
Axis 3, number of relations
- "A causes B and C" is two relations, A with B and A with C, if each holds by itself.
- If A and B cause C only together, they are one cause; do not split them.
Chains: from "A causes B, which causes C" take A with B and B with C. Take A with C only if the text says so.
Passive voice: turn it round. In "B is caused by A", the cause is A and the effect is B."""

TUPLES_REQUEST = """\
Write each relation on a line of its own, in just this form:
Tuple 1: {Cause: ..., Effect: ..., Causality_Type: Explicit or Implicit, Sententiality: Intra-sentential or \
Inter-sentential}
If there is none, write: No relations extracted."""

JSON_REQUEST = """\
The output is one JSON object, in just this form:
{"pairs": [{"cause": "...", "effect": "...", "causality": "Explicit or Implicit", "sententiality": "Intra or Inter"}]}
If there is none, write: {"pairs": []}"""

NO_PAIRS = "No relations extracted."

DIGIT_REQUEST = "Write 1 if the text states at least one such relation, and 0 if it states none."

YES_NO_REQUEST = "Does the text state a causal relation? Answer Yes or No."

TEXT, OUTPUT = "Input text:", "Output:"
REASONING, FINAL = "Reasoning:", "Final output:"
REASONING_AND_OUTPUT = "Reasoning, then the output:"

EXTRACTION_COT = """\
Reason step by step about each possible relation before you write it down:
1. Entities: which phrases could be the cause and the effect?
2. Modality: is it stated as a fact, or is it hedged or only reported? Drop it if so.
3. Number: does the sentence hold several relations, to be split?
4. Causality_Type: is one of the explicit markers there?
5. Sententiality: one sentence or several?
6. Tuple: put the four together."""

EXTRACTION_LEAST_TO_MOST = """\
Solve smaller problems first, each with the result of the one before:
Step 1, entities: list all phrases that could act as a cause or come about as an effect, but none from hedged \
statements or reported claims.
Step 2, pairs: join causes to effects. Where there are several, decide whether each acts by itself (split them) or \
only together (keep them as one).
Step 3, classification: for each pair, decide on Causality_Type by the list of explicit markers, and on Sententiality.
Step 4, result: write down the final list of relations from steps 1 to 3."""

EXTRACTION_REACT = """\
Work in four rounds of Thought, Action and Observation:
Thought 1: Where might a cause be stated, by a marker or by the meaning of a verb?
Action 1: Scan the text for such sentences.
Observation 1: [the sentences found]
Thought 2: Which of them state facts, and which only hedge or report?
Action 2: Remove hedged and reported ones.
Observation 2: [the sentences left]
Thought 3: How many relations are there, and which of them are in the passive voice?
Action 3: Split effects that hold independently; turn the passive round.
Observation 3: [the pairs]
Thought 4: What are the type and the scope of each pair?
Action 4: Compare with the explicit markers and the ends of sentences.
Observation 4: [the labels]
Then write the final answer."""

DETECTION_COT = """\
Reason in three steps:
1. Entities: which phrases could be a cause and an effect?
2. Modality: is the relation stated as a fact, or is it hedged or only reported? Drop it if so.
3. Verdict: is any relation left?"""

DETECTION_LEAST_TO_MOST = """\
Solve smaller problems first, each with the result of the one before:
Step 1, entities: list all phrases that could act as a cause or come about as an effect.
Step 2, relations: pass over hedged statements and reported claims, and take the relations that count.
Step 3, verdict: say whether at least one is left."""

DETECTION_REACT = """\
Work in three rounds of Thought, Action and Observation:
Thought 1: Where might a cause be stated, by a marker or by the meaning of a verb?
Action 1: Scan the text for such sentences.
Observation 1: [the sentences found]
Thought 2: Which of them state facts?
Action 2: Remove sentences that hedge or that only report what somebody believes or suggests.
Observation 2: [the sentences left]
Thought 3: Does what is left hold as a relation of cause and effect?
Action 3: Check each sentence once more.
Observation 3: [the relations]
Then write the final answer."""

RELEASED_COT = """\
Reason in three steps:
1. Look for words that indicate a cause.
2. Check that they join a cause to an effect.
3. Decide."""
