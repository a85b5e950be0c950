"""The traps that others fell into: text in, verdict out."""

from __future__ import annotations

from math import factorial

import pytest

from corr2cause import explain
from corr2cause.graphs.terms import Reading
from tests.judging.texts import premise_of
from tests.oracles.premise import premise

ROCKET = premise_of("A->B, A->C, A->D, B->D, C->D", "ABCD")
DIAMOND = premise_of("A->B, A->C, B->C, B->D, C->D", "ABCD")  # K4 without A-D


def support(text: str, hypothesis: str, reading: str = "direct") -> tuple[int, int]:
    found = explain(text, hypothesis, Reading(reading)).to_json()
    return found["holds_in"], found["class_size"]


@pytest.mark.parametrize(
    ("hypothesis", "reading", "expected"),
    [
        ("There exists at least one confounder (i.e., common cause) of C and D.", "direct", (2, 3)),
        ("A directly causes D.", "direct", (3, 3)),
        ("There exists at least one collider (i.e., common effect) of B and C.", "direct", (3, 3)),
        ("A causes something else which causes D.", "path", (3, 3)),
        ("A causes something else which causes D.", "direct", (0, 3)),
    ],
)
def test_meek_rule_3_is_needed(hypothesis, reading, expected):
    """A→B, A→C, A→D, B→D, C→D: only independence B⊥C|A; class of 3; needs Meek rule 3 for A→D."""
    assert "B and C are independent given A." in ROCKET
    assert support(ROCKET, hypothesis, reading) == expected


def test_what_holds_everywhere_without_a_compelled_edge():
    """K4 minus one edge (1⊥4|{2,3}): class of 10; Has-Collider(2,3) holds 10/10 although no edge is compelled."""
    collider = "There exists at least one collider (i.e., common effect) of B and C."
    assert support(DIAMOND, collider) == (10, 10)
    for x, y in ("AB", "AC", "BC", "BD", "CD"):
        there, back = (support(DIAMOND, f"{u} directly causes {v}.") for u, v in ((x, y), (y, x)))
        assert there[0] + back[0] == 10


def test_a_v_structure_remembers_its_centre():
    """A→B,A→C,B→D,C→D and its reversal are not equivalent."""
    down, up = premise_of("A->B, A->C, B->D, C->D", "ABCD"), premise_of("B->A, C->A, D->B, D->C", "ABCD")
    assert down != up
    assert support(down, "B directly causes D.") == (3, 3)
    assert support(up, "B directly causes A.") == (3, 3)


def test_separating_sets_of_two_kinds():
    """A→X, A→B, B→X, C→B, C→Y: {C} and {A,B} separate X and Y, {B} and {A} do not."""
    text = premise_of("A->X, A->B, B->X, C->B, C->Y", "ABCXY")
    assert "X and Y are independent given C." in text
    assert "X and Y are independent given A and B." in text
    assert "X and Y are independent given B." not in text
    assert "X and Y are independent given A." not in text
    assert support(text, "A directly causes B.") == (2, 2)  # C - Y may be turned


def test_conditioning_on_a_descendant_of_a_collider():
    """A→C←B, C→D: A⊥B, but neither given C nor given D."""
    text = premise_of("A->C, B->C, C->D", "ABCD")
    assert "A is independent of B." in text
    assert "A and B are independent given" not in text
    assert support(text, "C directly causes D.") == (1, 1)


def test_no_graph_fits():
    """{A⊥B, A⊥B|C, A⊥B|D, A⊥D, A⊥D|B, B⊥C, B⊥C|A}, everything else dependent: no DAG over A..D fits."""
    stated = {(0, 1, ()), (0, 1, (2,)), (0, 1, (3,)), (0, 3, ()), (0, 3, (1,)), (1, 2, ()), (1, 2, (0,))}
    found = explain(premise(list("ABCD"), stated), "A directly causes C.").to_json()
    assert found["verdict"] == "unsatisfiable"
    assert found["label"] is None


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_complete_graph(n):
    """The complete DAG on n nodes: N = n!; Has-Confounder(x,y) holds in a fraction 1−2/n of the members."""
    names = "ABCDE"[:n]
    text = premise_of(", ".join(f"{names[i]}->{names[j]}" for i in range(n) for j in range(i + 1, n)), names)
    holds_in, class_size = support(text, "There exists at least one confounder (i.e., common cause) of A and B.")
    assert class_size == factorial(n)
    assert holds_in * n == class_size * (n - 2)


def test_the_empty_graph_refutes_and_is_no_missing_value():
    """A counterexample without edges is one."""
    found = explain(premise_of("", "AB"), "A directly causes B.").to_json()
    assert (found["label"], found["counterexample"]) == (0, [])


@pytest.mark.parametrize("names", [("NA", "null", "None"), ("None", "NA", "nan")])
def test_variables_called_like_missing_values(names):
    """A variable may be called `NA`, `null`, `None`."""
    text = premise(list(names), {(0, 1, ())})
    assert support(text, f"{names[0]} directly causes {names[2]}.") == (1, 1)
