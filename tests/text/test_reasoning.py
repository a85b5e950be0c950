"""The words of a derivation: golden texts of traces made by hand, and a sentence for everything that can be said."""

from dataclasses import replace

import pytest

from corr2cause.text import reasoning_wording as words
from corr2cause.text.reasoning import conclusion_sections, ending, numbered, sections, way_sections
from corr2cause.text.trace import (
    ClassTrace,
    Conclusion,
    Failure,
    FailureKind,
    Fault,
    FaultKind,
    MeekStep,
    Separation,
    VStructure,
    Witness,
)
from corr2cause.text.wording import Claim

EDGE = ClassTrace(("A", "B"), False, 1, 0, (), (("A", "B"),), (), (), (), (("A", "B"),), 2)
NOTHING = ClassTrace(("A", "B"), False, 0, 1, (Separation("A", "B", ()),), (), (), (), (), (), 1)
KITE = ClassTrace(
    names=("A", "B", "C", "D"),
    minimal=False,
    n_correlations=6,
    n_independences=1,
    separations=(Separation("B", "C", ("A",)),),
    skeleton=(("A", "B"), ("A", "C"), ("A", "D"), ("B", "D"), ("C", "D")),
    v_structures=(VStructure("B", "D", "C", ("A",)),),
    meek_steps=(MeekStep(3, ("A", "D"), (("B", "D"), ("C", "D")), (("A", "B"), ("A", "C"))),),
    arrows=(("A", "D"), ("B", "D"), ("C", "D")),
    lines=(("A", "B"), ("A", "C")),
    class_size=3,
)
FAILING = Conclusion(
    Claim.CONFOUNDER,
    "C",
    "D",
    "direct",
    holds_in=2,
    class_size=3,
    counterexample=(("A", "B"), ("A", "D"), ("B", "D"), ("C", "A"), ("C", "D")),
    failure=Failure(FailureKind.NO_COMMON_PARENT, (), ("A", "B", "C")),
)
HOLDING = Conclusion(
    Claim.INDIRECT,
    "A",
    "D",
    "path",
    3,
    3,
    witnesses=(Witness((("A", "B", "D"),), 2), Witness((("A", "C", "D"),), 1)),
)
UNTRUE = Conclusion(Claim.DIRECT, "A", "B", "direct", 0, 1, (), (), Failure(FailureKind.NOT_ADJACENT))


def said(written):
    return [sentence for section in written for sentence in section.sentences]


def grounds(conclusion):
    return list(conclusion_sections(conclusion)[1].sentences)


def test_a_whole_derivation():
    assert numbered(sections(KITE, FAILING)) == [
        "1. The premise states 6 correlations and 1 independence of the variables A, B, C and D; what it does not "
        "state to be independent is dependent.",
        "2. Start with an edge between every two variables and remove those between independent ones: B--C (given A).",
        "3. The skeleton is A--B, A--C, A--D, B--D, C--D.",
        "4. B->D<-C is a v-structure: B and C are not adjacent, both are adjacent to D, and D is not in the set that "
        "separates them (A).",
        "5. Meek's rule 3: A--B->D, A--C->D and A--D, where B and C are not adjacent; so A->D, since D->A would make a "
        "cycle or the v-structure B->A<-C, which was not found.",
        "6. The CPDAG has the arrows A->D, B->D, C->D and the undirected edges A--B, A--C.",
        "7. The rest can be directed in 3 ways without a cycle or another v-structure: the class has 3 graphs, which "
        "imply the stated independences and no other.",
        "8. The hypothesis says that some variable is a parent of both C and D.",
        "9. The graph A->B, A->D, B->D, C->A, C->D is in the class, and there it fails: C has no parent, D has the "
        "parents A, B and C, and they have none in common.",
        "10. It holds in 2 of the 3 graphs.",
    ]
    assert ending(KITE, FAILING) == "Therefore: No."


def test_what_follows():
    assert said(conclusion_sections(HOLDING)) == [
        "The hypothesis says that a directed path leads from A to D through some other variable.",
        "Not the same edges bear it out in all graphs of the class, but each has some: A->B->D in 2; A->C->D in 1 of "
        "the others.",
        "So the hypothesis holds in all 3 graphs.",
    ]
    assert ending(KITE, HOLDING) == "Therefore: Yes."


def test_a_way_and_its_conclusion_are_numbered_on():
    way = numbered(way_sections(KITE))
    assert [*way, *numbered(conclusion_sections(FAILING), len(way) + 1)] == numbered(sections(KITE, FAILING))


def test_headings():
    headings = [section.heading for section in sections(KITE, FAILING)]
    assert headings == ["Facts", "Skeleton", "V-structures", "Meek's rules", "CPDAG", "Hypothesis", "Verdict"]
    broken = replace(KITE, faults=(Fault(FaultKind.NO_GRAPH),), fits_none=True)
    assert [section.heading for section in sections(broken, None)][-2:] == ["Graph", "No class"]


def test_where_there_is_nothing_to_say():
    assert said(way_sections(EDGE))[1:] == [
        "Start with an edge between every two variables; no two are independent given any set, so all edges stay.",
        "The skeleton is A--B.",
        "There is no v-structure: any common neighbour of two variables without an edge is in the set that separates "
        "them.",
        "Meek's rules direct no further edge.",
        "The CPDAG has no arrow and the undirected edge A--B.",
        "The rest can be directed in 2 ways without a cycle or another v-structure: the class has 2 graphs, which "
        "imply the stated independences and no other.",
    ]
    empty = said(way_sections(NOTHING))
    assert empty[1].endswith("independent ones: A--B (unconditionally).")
    assert empty[2] == "The skeleton has no edge."
    assert empty[-2] == "The CPDAG has no arrow and no undirected edge."
    assert empty[-1].endswith("the class has 1 graph, which implies the stated independences and no other.")


def test_minimal_premises_are_judged_by_their_own_rule():
    first, *_, last = said(way_sections(replace(KITE, minimal=True)))
    assert first.endswith("a pair is dependent given any set that contains none of those stated for it.")
    assert last.endswith("which have the stated minimal sets and no other.")


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (
            MeekStep(1, ("B", "C"), (("A", "B"),), ()),
            "Meek's rule 1: A->B and B--C, where A and C are not adjacent; so B->C, since C->B would make the "
            "v-structure A->B<-C, which was not found.",
        ),
        (
            MeekStep(2, ("A", "C"), (("A", "B"), ("B", "C")), ()),
            "Meek's rule 2: A->B->C and A--C; so A->C, since C->A would make a cycle.",
        ),
    ],
)
def test_rules_1_and_2(step, sentence):
    assert sentence in said(way_sections(replace(KITE, meek_steps=(step,))))


def test_an_indirect_cause_excludes_an_edge_in_the_direct_reading():
    shared = replace(HOLDING, reading="direct", witnesses=(Witness((("A", "B", "D"),), 3),))
    assert grounds(shared) == [
        "The CPDAG has A->B->D, and so has every graph of the class.",
        "A and D are not adjacent, so no graph has the edge A->D.",
        "So the hypothesis holds in all 3 graphs.",
    ]


def test_two_paths_of_one_graph():
    only = Conclusion(Claim.COLLIDER, "A", "B", "direct", 1, 1, (Witness((("A", "C"), ("B", "C")), 1),))
    assert grounds(only) == [
        "The CPDAG has A->C and B->C, and so has every graph of the class.",
        "So the hypothesis holds in the only graph.",
    ]


def test_a_graph_without_edges_and_counts():
    assert grounds(UNTRUE) == [
        "The graph without edges is in the class, and there it fails: A and B are not adjacent.",
        "This is the only graph.",
    ]
    assert grounds(replace(UNTRUE, class_size=4))[-1] == "It holds in none of the 4 graphs."


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (Failure(FailureKind.REVERSED), "the edge is B->A"),
        (Failure(FailureKind.NO_PATH), "no directed path leads from A to B"),
        (Failure(FailureKind.EDGE), "A->B is an edge"),
        (Failure(FailureKind.ONLY_EDGE), "the only directed path from A to B is the edge A->B"),
        (
            Failure(FailureKind.NO_COMMON_CHILD, ("C",), ("D", "E")),
            "A has the child C, B has the children D and E, and they have none in common",
        ),
        (
            Failure(FailureKind.NO_COMMON_DESCENDANT, ("C",), ()),
            "A has the descendant C, B has no descendant, and they have none in common",
        ),
        (
            Failure(FailureKind.NO_COMMON_ANCESTOR, ("C", "D"), ("E",)),
            "A has the ancestors C and D, B has the ancestor E, and they have none in common",
        ),
        (
            Failure(FailureKind.MEETING_BEFORE, cuts=(("D", "C"), ("E", "A"))),
            "all directed paths from A and B to D contain C and all directed paths from A and B to E contain A, and no "
            "other variable descends from both",
        ),
        (
            Failure(FailureKind.PARTING_AFTER, cuts=(("D", "C"),)),
            "all directed paths from D to A and B contain C, and no other variable is an ancestor of both",
        ),
    ],
)
def test_failures(failure, expected):
    assert grounds(replace(UNTRUE, failure=failure))[0].endswith(f"and there it fails: {expected}.")


def test_everything_that_can_be_said_has_a_sentence():
    assert set(words.FAILURES) == set(FailureKind)
    assert set(words.FAULTS) == set(FaultKind)
    assert {(claim, reading) for claim in words.MEANING for reading in words.MEANING[claim]} == {
        (claim, reading) for claim in Claim for reading in ("direct", "path", "ancestral")
    }


@pytest.mark.parametrize("kind", list(FaultKind))
def test_a_fault_is_the_last_word_on_a_premise(kind):
    about = (Separation("A", "B", ()), Separation("B", "C", ("A", "D")))
    broken = replace(KITE, class_size=0, faults=(Fault(kind, about),), fits_none=True)
    *_, graph, reason = said(way_sections(broken))
    assert graph == "The graph that results has the arrows A->D, B->D, C->D and the undirected edges A--B, A--C."
    assert reason == words.FAULTS[kind].format(about="A and B; B and C given A and D")
    assert ("A and B; B and C given A and D" in reason) == (kind is not FaultKind.NO_GRAPH)
    assert ending(broken, None) == "Therefore: no answer, for no graph fits the premise."
    assert ending(replace(broken, fits_none=False), None) == "Therefore: no answer, for the premise is incomplete."


def test_long_lists_are_cut():
    about = tuple(Separation("A", name, ()) for name in ("B", "C", "D", "E", "F"))
    *_, reason = said(way_sections(replace(KITE, faults=(Fault(FaultKind.SILENT, about),))))
    assert reason.endswith("of A and B; A and C; A and D; 2 more.")


@pytest.mark.parametrize(("holds_in", "label"), [(0, 0), (1, 0), (3, 1)])
def test_labels(holds_in, label):
    assert replace(FAILING, holds_in=holds_in).label == label
