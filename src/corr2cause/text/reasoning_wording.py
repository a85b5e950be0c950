"""The tables of sentences that explain: every English word of a derivation stands here, once.

Edges are written as in the data, A->B; an undirected line is A--B.
"""

from __future__ import annotations

from collections.abc import Mapping

from corr2cause.text.trace import FailureKind, FaultKind
from corr2cause.text.wording import Claim

LINE = "--"

FACTS_HEADING, SKELETON_HEADING, V_STRUCTURES_HEADING = "Facts", "Skeleton", "V-structures"
MEEK_HEADING, HYPOTHESIS_HEADING, VERDICT_HEADING = "Meek's rules", "Hypothesis", "Verdict"
NO_CLASS_HEADING, CLAIM_HEADING = "No class", "Claim"

# By whether the premise lists minimal separating sets only.
FACTS: Mapping[bool, str] = {
    False: "The premise states {correlations} and {independences} of the variables {names}; what it does not state to "
    "be independent is dependent.",
    True: "The premise states {correlations} and {independences} of the variables {names}, by minimal sets only; a "
    "pair is dependent given any set that contains none of those stated for it.",
}
CORRELATIONS, INDEPENDENCES = ("correlation", "correlations"), ("independence", "independences")

REMOVED = "Start with an edge between every two variables and remove those between independent ones: {removed}."
NONE_REMOVED = (
    "Start with an edge between every two variables; no two are independent given any set, so all edges stay."
)
REMOVED_EDGE, REMOVED_EDGE_GIVEN = "{edge} (unconditionally)", "{edge} (given {given})"
SKELETON, EMPTY_SKELETON = "The skeleton is {edges}.", "The skeleton has no edge."

V_STRUCTURE = (
    "{first}->{collider}<-{second} is a v-structure: {first} and {second} are not adjacent, both are adjacent to "
    "{collider}, and {collider} is not in the set that separates them ({given})."
)
EMPTY_SET = "the empty set"
NO_V_STRUCTURE = (
    "There is no v-structure: any common neighbour of two variables without an edge is in the set that separates them."
)

MEEK: Mapping[int, str] = {
    1: "Meek's rule 1: {a}->{b} and {b}--{c}, where {a} and {c} are not adjacent; so {b}->{c}, since {c}->{b} would "
    "make the v-structure {a}->{b}<-{c}, which was not found.",
    2: "Meek's rule 2: {a}->{b}->{c} and {a}--{c}; so {a}->{c}, since {c}->{a} would make a cycle.",
    3: "Meek's rule 3: {a}--{b}->{d}, {a}--{c}->{d} and {a}--{d}, where {b} and {c} are not adjacent; so {a}->{d}, "
    "since {d}->{a} would make a cycle or the v-structure {b}->{a}<-{c}, which was not found.",
}
NO_MEEK = "Meek's rules direct no further edge."

# By whether the premise determines a class.
GRAPH_HEADINGS: Mapping[bool, str] = {True: "CPDAG", False: "Graph"}
GRAPH: Mapping[bool, str] = {
    True: "The CPDAG has {arrows} and {lines}.",
    False: "The graph that results has {arrows} and {lines}.",
}
ARROWS = "no arrow", "the arrow {edges}", "the arrows {edges}"
LINES = "no undirected edge", "the undirected edge {edges}", "the undirected edges {edges}"

ONE_MEMBER = "Nothing is left to direct: the class has 1 graph, which {fit}."
MEMBERS = (
    "The rest can be directed in {n} ways without a cycle or another v-structure: the class has {n} graphs, "
    "which {fit}."
)
FIT: Mapping[bool, tuple[str, str]] = {  # by whether the premise lists minimal sets only: of one graph, of several
    False: ("implies the stated independences and no other", "imply the stated independences and no other"),
    True: ("has the stated minimal sets and no other", "have the stated minimal sets and no other"),
}

HYPOTHESIS = "The hypothesis says that {meaning}."
_MEDIATED = "a directed path leads from {first} to {second} through some other variable"
MEANING: Mapping[Claim, Mapping[str, str]] = {  # by the name of the reading
    Claim.DIRECT: dict.fromkeys(("direct", "path", "ancestral"), "{first} is a parent of {second}"),
    Claim.INDIRECT: {
        "direct": "a directed path leads from {first} to {second}, but no edge {first}->{second} does",
        "path": _MEDIATED,
        "ancestral": _MEDIATED,
    },
    Claim.COLLIDER: {
        "direct": "some variable is a child of both {first} and {second}",
        "path": "directed paths from {first} and from {second} meet in a third variable and share only that one",
        "ancestral": "some third variable is a descendant of both {first} and {second}",
    },
    Claim.CONFOUNDER: {
        "direct": "some variable is a parent of both {first} and {second}",
        "path": "directed paths to {first} and to {second} start in a third variable and share only that one",
        "ancestral": "some third variable is an ancestor of both {first} and {second}",
    },
}

SHARED_WITNESS = "The CPDAG has {paths}, and so has every graph of the class."
WITNESSES = "Not the same edges bear it out in all graphs of the class, but each has some: {groups}."
WITNESS_GROUPS = "{paths} in {n}", "{paths} in {n} of the others"
NEVER_AN_EDGE = "{first} and {second} are not adjacent, so no graph has the edge {first}->{second}."
HOLDS_IN_ONE, HOLDS_IN_ALL = "So the hypothesis holds in the only graph.", "So the hypothesis holds in all {n} graphs."

FAILS = "The graph {graph} is in the class, and there it fails: {failure}."
GRAPH_WITHOUT_EDGES = "without edges"
FAILS_IN_ONE = "This is the only graph."
FAILS_IN_ALL = "It holds in none of the {n} graphs."
HOLDS_IN_SOME = "It holds in {holds_in} of the {n} graphs."

_NONE_IN_COMMON = "{first} has {of_first}, {second} has {of_second}, and they have none in common"
FAILURES: Mapping[FailureKind, str] = {
    FailureKind.NOT_ADJACENT: "{first} and {second} are not adjacent",
    FailureKind.REVERSED: "the edge is {second}->{first}",
    FailureKind.NO_PATH: "no directed path leads from {first} to {second}",
    FailureKind.EDGE: "{first}->{second} is an edge",
    FailureKind.ONLY_EDGE: "the only directed path from {first} to {second} is the edge {first}->{second}",
    FailureKind.NO_COMMON_CHILD: _NONE_IN_COMMON,
    FailureKind.NO_COMMON_DESCENDANT: _NONE_IN_COMMON,
    FailureKind.NO_COMMON_PARENT: _NONE_IN_COMMON,
    FailureKind.NO_COMMON_ANCESTOR: _NONE_IN_COMMON,
    FailureKind.MEETING_BEFORE: "{cuts}, and no other variable descends from both",
    FailureKind.PARTING_AFTER: "{cuts}, and no other variable is an ancestor of both",
}
CUTS: Mapping[FailureKind, str] = {
    FailureKind.MEETING_BEFORE: "all directed paths from {first} and {second} to {relative} contain {cut}",
    FailureKind.PARTING_AFTER: "all directed paths from {relative} to {first} and {second} contain {cut}",
}
RELATIVES: Mapping[FailureKind, tuple[str, str, str]] = {
    FailureKind.NO_COMMON_CHILD: ("no child", "the child {names}", "the children {names}"),
    FailureKind.NO_COMMON_DESCENDANT: ("no descendant", "the descendant {names}", "the descendants {names}"),
    FailureKind.NO_COMMON_PARENT: ("no parent", "the parent {names}", "the parents {names}"),
    FailureKind.NO_COMMON_ANCESTOR: ("no ancestor", "the ancestor {names}", "the ancestors {names}"),
}

FAULTS: Mapping[FaultKind, str] = {
    FaultKind.CONTRADICTORY: "The premise states both a correlation and an independence of {about}.",
    FaultKind.TWO_HEADS: "The edge would have to point both ways between {about}.",
    FaultKind.NO_GRAPH: "No acyclic graph has this skeleton and these arrows without making another v-structure.",
    FaultKind.BROKEN: "This graph makes these dependent, although the premise states them to be independent: {about}.",
    FaultKind.REDUNDANT: "The premise is to state minimal sets only, but these have a smaller one: {about}.",
    FaultKind.SILENT: "The premise states neither a correlation nor an independence of {about}.",
    FaultKind.UNSTATED: "This graph makes these independent too, although the premise does not state it: {about}.",
}
PAIR, PAIR_GIVEN = "{first} and {second}", "{first} and {second} given {given}"
SEMICOLON = "; "
MORE, MOST_LISTED = "{n} more", 3

ENDING: Mapping[int, str] = {1: "Therefore: Yes.", 0: "Therefore: No."}  # by label
NO_ANSWER: Mapping[bool, str] = {  # by whether no graph at all fits the premise
    True: "Therefore: no answer, for no graph fits the premise.",
    False: "Therefore: no answer, for the premise is incomplete.",
}


def form(forms: tuple[str, str, str], n: int, **places: str) -> str:
    """Choose of a row of the tables the form for none, one or several, and fill it."""
    return forms[min(n, 2)].format(**places)
