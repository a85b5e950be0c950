"""Verdicts and answers of premises, against all DAGs by brute force and counts over members by listing paths."""

from dataclasses import replace
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings

from corr2cause.deriving.derivation import MAX_DERIVED, Answer, derive
from corr2cause.errors import ClassSizeError, SizeError
from corr2cause.graphs.fitting import Verdict
from corr2cause.graphs.terms import Reading
from corr2cause.text.facts import Hypothesis, Independence, Premise
from corr2cause.text.naming import letters
from corr2cause.text.parsing import parse_premise
from corr2cause.text.wording import Claim
from tests.oracles import premise as published
from tests.oracles.dags import dag, edge_set
from tests.oracles.equivalence import labelled_classes, members, representative_classes
from tests.oracles.relations import claims, counts
from tests.oracles.separation import minimal, separations, statements
from tests.oracles.translation import as_edges
from tests.strategies import digraphs

A, B, C, D = range(4)
RELATIONS = {
    Claim.DIRECT: "is_parent",
    Claim.INDIRECT: "is_ancestor",
    Claim.COLLIDER: "has_collider",
    Claim.CONFOUNDER: "has_confounder",
}
IMPOSSIBLE = {(A, B, ()), (A, B, (C,)), (A, B, (D,)), (A, D, ()), (A, D, (B,)), (B, C, ()), (B, C, (A,))}


def premise_of(n, independences, is_minimal=False, names=None) -> Premise:
    """State these independences, and a correlation for every other pair."""
    apart = {(i, j) for i, j, given in independences if not given}
    return Premise(
        names or letters(n),
        tuple(pair for pair in combinations(range(n), 2) if pair not in apart),
        tuple(Independence(*s) for s in statements(n) if s in independences),
        is_minimal,
    )


def hypotheses(names):
    return [Hypothesis(claim, x, y) for claim in Claim for x, y in permutations(names, 2)]


def check_answers(premise: Premise, group) -> None:
    """Compare every answer with the counts over members by definition; counterexamples must refute."""
    (derivation,) = derive([premise])
    assert derivation.verdict is Verdict.DETERMINED
    names, place = premise.names, premise.names.index
    known = set(map(edge_set, group))
    for reading in Reading:
        expected = counts(group, reading)
        for hypothesis in hypotheses(names):
            claim = RELATIONS[hypothesis.claim], place(hypothesis.first), place(hypothesis.second)
            answer = derivation.answer(hypothesis, reading)
            assert (answer.holds_in, answer.class_size) == (expected[claim], len(group))
            assert answer.label == int(expected[claim] == len(group))
            if answer.label:
                assert answer.counterexample is None
                continue
            refuting = [(place(u), place(v)) for u, v in answer.counterexample]
            assert frozenset(refuting) in known
            assert claim not in claims(dag(len(names), refuting), reading)


@pytest.mark.parametrize("is_minimal", [False, True])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_answers_are_the_counts_by_definition(n, is_minimal):
    for group in representative_classes(n).values():
        implied = separations(group[0])
        check_answers(premise_of(n, minimal(implied) if is_minimal else implied, is_minimal), group)


@settings(max_examples=8, deadline=None)
@given(digraphs(min_n=5, max_n=6))
def test_answers_of_random_graphs(graph):
    check_answers(premise_of(len(graph), separations(graph)), members(graph))


def test_renamed_classes_have_renamed_answers():
    """Every labelled class of three variables, under names in any order."""
    for group in labelled_classes(3):
        for names in permutations(("sleep", "NA", "null")):
            check_answers(premise_of(3, separations(group[0]), names=names), group)


@pytest.mark.parametrize("is_minimal", [False, True])
def test_one_statement_too_few_or_too_many(is_minimal):
    """A premise is determined iff some DAG has exactly its independences, by brute force over all DAGs."""
    listed = minimal if is_minimal else frozenset
    fitting = {listed(separations(group[0])) for group in labelled_classes(4)}
    edited = [
        listed(separations(group[0])) ^ {statement}
        for group in representative_classes(4).values()
        for statement in statements(4)
    ]
    derived = derive([premise_of(4, stated, is_minimal) for stated in edited])
    for stated, derivation in zip(edited, derived, strict=True):
        assert (derivation.verdict is Verdict.DETERMINED) == (stated in fitting)
        answer = derivation.answer(Hypothesis(Claim.DIRECT, "A", "B"), Reading.PATH)
        assert (answer is None) == (stated not in fitting)
        assert (len(derivation.members) == 0) == (stated not in fitting)


def test_an_omitted_pair_makes_a_premise_incomplete():
    chain = premise_of(3, {(A, C, (B,))})
    silent = replace(chain, correlations=((A, B), (B, C)))
    (derivation,) = derive([silent])
    assert derivation.verdict is Verdict.INCOMPLETE
    assert derivation.silent == ((A, C),)
    assert derivation.answer(Hypothesis(Claim.DIRECT, "A", "B"), Reading.DIRECT) is None


def test_a_pair_stated_both_ways_makes_a_premise_unsatisfiable():
    collider = premise_of(3, {(A, B, ())})
    both = replace(collider, correlations=((A, B), *collider.correlations))
    (derivation,) = derive([both])
    assert derivation.verdict is Verdict.UNSATISFIABLE
    assert derivation.contradictory == ((A, B),)
    assert not derivation.silent


def test_a_broken_premise_stays_unsatisfiable_where_a_pair_is_silent_too():
    impossible = premise_of(4, IMPOSSIBLE)
    (derivation,) = derive([replace(impossible, correlations=impossible.correlations[1:])])
    assert derivation.verdict is Verdict.UNSATISFIABLE


def test_the_example_that_no_dag_satisfies_has_no_label():
    """Independences {A⊥B, A⊥B|C, A⊥B|D, A⊥D, A⊥D|B, B⊥C, B⊥C|A}, everything else dependent: refuse."""
    (derivation,) = derive([premise_of(4, IMPOSSIBLE)])
    assert derivation.verdict is Verdict.UNSATISFIABLE
    for reading in Reading:
        assert all(derivation.answer(hypothesis, reading) is None for hypothesis in hypotheses("ABCD"))


def test_a_batch_of_many_sizes_keeps_its_order():
    groups = [group for n in (4, 2, 3) for group in representative_classes(n).values()]
    stated = [premise_of(len(group[0]), separations(group[0])) for group in groups]
    stated.insert(7, premise_of(4, IMPOSSIBLE))
    derived = derive(stated)
    assert [derivation.premise for derivation in derived] == stated
    for premise, derivation in zip(stated, derived, strict=True):
        (alone,) = derive([premise])
        assert derivation.members.tolist() == alone.members.tolist()
        for hypothesis in hypotheses(premise.names)[::5]:
            assert derivation.answer(hypothesis, Reading.PATH) == alone.answer(hypothesis, Reading.PATH)


def test_only_the_readings_asked_for_are_judged():
    (derivation,) = derive([premise_of(3, set())], [Reading.PATH])
    assert set(derivation.counts) == {Reading.PATH}


@pytest.mark.parametrize("n", [1, MAX_DERIVED + 1])
def test_sizes_out_of_reach_are_refused(n):
    with pytest.raises(SizeError, match=f"{n} variables"):
        derive([premise_of(n, set())])


def test_a_class_of_too_many_members_is_refused():
    """Ten variables that all correlate: every order of them is a member, and 10! is more than can be looked at."""
    with pytest.raises(ClassSizeError, match="3,628,800 graphs"):
        derive([premise_of(10, set())])


def test_twelve_variables_are_derived_if_their_class_is_small():
    """Eleven independent causes of one effect: a class of one."""
    star = dag(12, [(cause, 11) for cause in range(11)])
    (derivation,) = derive([premise_of(12, {(i, j, ()) for i, j in combinations(range(11), 2)}, is_minimal=True)])
    assert (derivation.verdict, derivation.class_size) == (Verdict.DETERMINED, 1)
    assert as_edges(derivation.members[0]) == edge_set(star)


def test_no_premise_has_no_derivation():
    assert derive([]) == []


@pytest.mark.parametrize(
    ("holds_in", "label", "nli_label"), [(0, 0, "contradiction"), (1, 0, "neutral"), (3, 1, "entailment")]
)
def test_labels_follow_from_the_count(holds_in, label, nli_label):
    answer = Answer(holds_in, 3, None)
    assert (answer.label, answer.nli_label) == (label, nli_label)


class TestTraps:
    """Section 6 of the specification, from text to answer."""

    def answer(self, edges, claim, first, second, reading=Reading.DIRECT):
        graph = dag(max(map(max, edges)) + 1, edges)
        text = published.premise(letters(len(graph)), separations(graph))
        premise, _ = parse_premise(text)
        found = derive([premise])[0].answer(Hypothesis(claim, first, second), reading)
        return found.holds_in, found.class_size

    KITE = ((A, B), (A, C), (A, D), (B, D), (C, D))

    def test_kite(self):
        """Confounder(C,D) in 2 of 3; Parent(A,D) 3/3; Collider(B,C) 3/3; Ancestor(A,D): path 3/3, direct 0/3."""
        assert self.answer(self.KITE, Claim.CONFOUNDER, "C", "D") == (2, 3)
        assert self.answer(self.KITE, Claim.DIRECT, "A", "D") == (3, 3)
        assert self.answer(self.KITE, Claim.COLLIDER, "B", "C") == (3, 3)
        assert self.answer(self.KITE, Claim.INDIRECT, "A", "D", Reading.PATH) == (3, 3)
        assert self.answer(self.KITE, Claim.INDIRECT, "A", "D", Reading.DIRECT) == (0, 3)

    def test_complete_graph_without_one_edge(self):
        """Class of 10; Has-Collider(2,3) holds 10/10 although no edge is compelled; parent + child add up to 10."""
        edges = ((A, B), (A, C), (B, C), (B, D), (C, D))
        assert self.answer(edges, Claim.COLLIDER, "B", "C") == (10, 10)
        there, back = (self.answer(edges, Claim.DIRECT, *pair) for pair in ("AB", "BA"))
        assert there[0] + back[0] == 10

    def test_a_v_structure_remembers_its_centre(self):
        """A→B,A→C,B→D,C→D and its reversal are not equivalent."""
        diamond = ((A, B), (A, C), (B, D), (C, D))
        assert self.answer(diamond, Claim.DIRECT, "B", "D") == (3, 3)
        assert self.answer([(v, u) for u, v in diamond], Claim.DIRECT, "B", "A") == (3, 3)
        assert self.answer([(v, u) for u, v in diamond], Claim.DIRECT, "B", "D") == (1, 3)

    @pytest.mark.parametrize("n", [3, 4, 5])
    def test_complete_graph(self, n):
        """N = n!; Has-Confounder(x,y) holds in a fraction 1−2/n of the members."""
        holds_in, class_size = self.answer(list(combinations(range(n), 2)), Claim.CONFOUNDER, "A", "C")
        assert class_size == [6, 24, 120][n - 3]
        assert n * holds_in == (n - 2) * class_size
