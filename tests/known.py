"""Published and twice-computed numbers, each with its source."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GraphCounts:
    """What there is on n nodes.

    Sources: unlabelled DAGs OEIS A003087; labelled DAGs OEIS A003024 (Robinson 1973); labelled classes OEIS A007984
    (Gillispie & Perlman 2002); the rest was computed twice by routes that share no code. `edges_per_dag` is the mean
    over unlabelled DAGs, to two decimals (Corr2Cause paper, statistics of causal graphs).
    """

    n: int
    unlabelled_dags: int
    edges_per_dag: float
    classes: int
    labelled_dags: int
    labelled_classes: int
    members: int
    largest_class: int


GRAPH_COUNTS = (
    GraphCounts(1, 1, 0.00, 1, 1, 1, 1, 1),
    GraphCounts(2, 2, 0.50, 2, 3, 2, 3, 2),
    GraphCounts(3, 6, 1.67, 5, 25, 11, 13, 6),
    GraphCounts(4, 31, 3.48, 20, 543, 185, 83, 24),
    GraphCounts(5, 302, 5.89, 142, 29_281, 8_782, 740, 120),
    GraphCounts(6, 5_984, 8.77, 2_201, 3_781_503, 1_067_825, 11_112, 720),
)

LABELLED_DAGS = {7: 1_138_779_265, 8: 783_702_329_343, 10: 4_175_098_976_430_598_143}  # OEIS A003024
UNLABELLED_DAGS_8 = 20_286_025  # OEIS A003087
UNLABELLED_DAGS_7 = 243_668  # OEIS A003087
CLASSES_7 = 76_907  # computed twice
LABELLED_CLASSES_7 = 312_510_571  # OEIS A007984
MEMBERS_7 = 340_273  # computed twice
LARGEST_CLASS_7 = 5_040  # the complete DAG: 7!


@dataclass(frozen=True)
class EntailedCounts:
    """Hypotheses over one representative per class, and how many of them are entailed in each reading.

    Source: computed twice; the six relations of all pairs x < y, so rows = classes * 3 n (n - 1).
    """

    n: int
    rows: int
    direct: int
    path: int
    ancestral: int


ENTAILED_COUNTS = (
    EntailedCounts(2, 12, 0, 0, 0),
    EntailedCounts(3, 90, 3, 3, 3),
    EntailedCounts(4, 720, 55, 57, 64),
    EntailedCounts(5, 8_520, 1_103, 1_248, 1_392),
    EntailedCounts(6, 198_090, 34_900, 42_524, 46_073),
)


@dataclass(frozen=True)
class WithoutRule3:
    """Labelled classes whose CPDAG comes out wrong from Meek's rules 1 and 2 alone. Source: computed twice."""

    n: int
    wrong: int
    labelled_classes: int


WITHOUT_RULE_3 = (WithoutRule3(3, 0, 11), WithoutRule3(4, 12, 185), WithoutRule3(5, 1_070, 8_782))

MEAN_PREMISE_LENGTH_6 = 1_814  # characters per class at n = 6, rounded
LARGEST_PREMISE_LENGTH_6 = 9_169  # characters
STATEMENTS_PER_CLASS_6 = 36.2  # independences per class at n = 6, to one decimal
STATEMENTS_PER_CLASS_7 = 71.4  # and at n = 7
