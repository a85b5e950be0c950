"""The pipeline on one screen: equivalence classes -> names -> premises, questions, judgements -> rows.

Rows come as Arrow tables whose strings are dictionary-encoded, so that the premise of a class is held once. What a row
says depends on (options, its class) only, so that any block of classes can be built anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, compress

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from corr2cause import streams
from corr2cause.dataset.class_ids import enumerated_class, sampled_class
from corr2cause.dataset.encoding import Codes, encode, encode_each
from corr2cause.dataset.options import Names, PremiseStyle, RowOptions
from corr2cause.dataset.questions import all_surfaces, questions, sentences
from corr2cause.dataset.schema import ENCODED_SCHEMA
from corr2cause.dataset.stepping import add_steps
from corr2cause.graphs.bitdags import Integers, Masks, Truths, edges, relabel, skeleton
from corr2cause.graphs.equivalence import Classes, Members, cpdags, members
from corr2cause.graphs.relations import support
from corr2cause.graphs.separation import minimal, separations, statements
from corr2cause.graphs.terms import Reading, Relation
from corr2cause.text.facts import Independence, Premise
from corr2cause.text.naming import letters, random_words
from corr2cause.text.verbalisation import statement_table, verbalise_edges, verbalise_premise
from corr2cause.text.wording import Notation


@dataclass(frozen=True, slots=True)
class ClassBlock:
    """Some classes of one size, small enough to be built at once.

    Attributes:
        ranks: int64[C]; places of the classes in code order or in a sample, ascending.
        representatives: uint16[C, n]; one row for each rank.
        class_ids: the name of each class.
    """

    ranks: Integers
    representatives: Masks
    class_ids: tuple[str, ...]

    @property
    def n(self) -> int:
        """Number of variables."""
        return int(self.representatives.shape[1])


def cut_into_blocks(classes: Classes, size: int) -> list[ClassBlock]:
    """Cut all classes of a size into blocks of at most `size` classes."""
    ranks = np.arange(len(classes))
    return [
        block_of(ranks[start : start + size], classes.representatives[start : start + size])
        for start in range(0, len(classes), size)
    ]


def block_of(ranks: Integers, representatives: Masks) -> ClassBlock:
    """Make a block of enumerated classes, which are named by size and rank."""
    n = representatives.shape[1]
    return ClassBlock(ranks, representatives, tuple(enumerated_class(n, rank) for rank in ranks.tolist()))


def sampled_block(ranks: Integers, representatives: Masks) -> ClassBlock:
    """Make a block of sampled classes, which are named by their graphs."""
    return ClassBlock(ranks, representatives, tuple(map(sampled_class, representatives)))


def build_rows(options: RowOptions, block: ClassBlock) -> pa.Table:
    """Build all rows of a block: class after class, question after question.

    Returns:
        A table with `ENCODED_SCHEMA`, about 3 µs a row; with steps one more column, see `add_steps`.
    """
    named = name_classes(options, block)
    premises = write_premises(named, options.premise)
    judged = judge(named, options)
    table = tabulate(options, named, premises, judged)
    return add_steps(table, options.reading) if options.with_steps else table


@dataclass(frozen=True, slots=True)
class NamedClasses:
    """Classes of one size after naming: node k of every graph is the k-th variable of its premise.

    Attributes:
        ranks: int64[C]; those of the block.
        class_ids: those of the block.
        graphs: uint16[C, n]; one member of each class.
        original: int64[C, n]; the node of the representative that became the k-th variable.
        names: the variables of each class, in the order of its premise.
    """

    ranks: Integers
    class_ids: tuple[str, ...]
    graphs: Masks
    original: Integers
    names: list[tuple[str, ...]]

    @property
    def n(self) -> int:
        """Number of variables."""
        return int(self.graphs.shape[1])


def name_classes(options: RowOptions, block: ClassBlock) -> NamedClasses:
    """Give the nodes of each class their names, and number them in the order of their names."""
    n, ranks, ids, representatives = block.n, block.ranks, block.class_ids, block.representatives
    if options.names is Names.ORDERED:
        original = np.broadcast_to(np.arange(n), (len(ranks), n))
        return NamedClasses(ranks, ids, representatives, original, [letters(n)] * len(ranks))
    original = streams.permutations(options.seed, "names", n, rows=ranks, length=n)
    graphs = relabel(representatives, np.argsort(original, axis=1))
    if options.names is Names.SHUFFLED:
        return NamedClasses(ranks, ids, graphs, original, [letters(n)] * len(ranks))
    drawn = streams.words(options.seed, "words", n, rows=ranks, columns=n)
    return NamedClasses(ranks, ids, graphs, original, [random_words(row, n) for row in drawn])


@dataclass(frozen=True, slots=True)
class Premises:
    """The premise of each class, and the number of independences it lists: int64[C]."""

    texts: list[str]
    n_statements: Integers


def write_premises(named: NamedClasses, style: PremiseStyle) -> Premises:
    """Put the d-separations of each class into words."""
    n = named.n
    possible = _possible_independences(n)
    notation = Notation.SYMBOLS if style is PremiseStyle.SYMBOLIC else Notation.PROSE
    separated = separations(named.graphs)
    is_minimal = style is PremiseStyle.MINIMAL
    listed = minimal(separated, n) if is_minimal else separated
    correlated = ~separated[:, [not statement.given for statement in possible]]
    chosen = zip(named.names, correlated.tolist(), listed.tolist(), strict=True)
    if len(set(named.names)) == 1:  # then every sentence is said once and for all
        table = statement_table(named.names[0], possible, notation)
        texts = [table.premise(correlations, sets, is_minimal) for _, correlations, sets in chosen]
    else:
        pairs = list(combinations(range(n), 2))
        texts = [
            verbalise_premise(
                Premise(names, tuple(compress(pairs, correlations)), tuple(compress(possible, sets)), is_minimal),
                notation,
            )
            for names, correlations, sets in chosen
        ]
    return Premises(texts, listed.sum(axis=1))


@lru_cache(maxsize=16)
def _possible_independences(n: int) -> tuple[Independence, ...]:
    return tuple(Independence(*statement) for statement in statements(n))


@dataclass(frozen=True, slots=True)
class Judgements:
    """What follows from each premise, question by question.

    Attributes:
        members: all members of the classes.
        holds_in: int64[C, H]; number of members in which the hypothesis holds.
        first_failure: int64[C, H]; index of the first member in which it does not, -1 if it is entailed.
        readings_agree: bool[C, H]; the three readings give one label.
    """

    members: Members
    holds_in: Integers
    first_failure: Integers
    readings_agree: Truths


def judge(named: NamedClasses, options: RowOptions) -> Judgements:
    """Try every question on every member of each class."""
    asked = questions(named.n, options.hypotheses)
    relation = [list(Relation).index(question.relation) for question in asked]
    x, y = [question.x for question in asked], [question.y for question in asked]
    all_members = members(named.graphs)
    sizes = all_members.sizes[:, None]
    supports = {reading: support(all_members, reading) for reading in Reading}
    n_entailing = sum((s.holds_in[:, relation, x, y] == sizes).astype(int) for s in supports.values())
    chosen = supports[options.reading]
    return Judgements(
        members=all_members,
        holds_in=chosen.holds_in[:, relation, x, y],
        first_failure=chosen.first_failure[:, relation, x, y],
        readings_agree=(n_entailing == 0) | (n_entailing == len(Reading)),
    )


def draw_surfaces(options: RowOptions, n: int, ranks: Integers) -> Integers:
    """Draw one of the two sentences of each question, by its place in `all_surfaces`: int64[C, H]."""
    places = np.arange(len(questions(n, options.hypotheses)))
    coin = streams.words(options.seed, "wording", n, rows=ranks, columns=len(places)) & np.uint64(1)
    return 2 * places + coin.astype(np.int64)


def tabulate(options: RowOptions, named: NamedClasses, premises: Premises, judged: Judgements) -> pa.Table:
    """Lay everything out as rows."""
    n, n_classes = named.n, len(named.ranks)
    asked, written = questions(n, options.hypotheses), all_surfaces(n, options.hypotheses)
    shape = (n_classes, len(asked))
    per_class = np.broadcast_to(np.arange(n_classes)[:, None], shape)
    per_question = np.broadcast_to(np.arange(len(asked)), shape)
    surface = draw_surfaces(options, n, named.ranks)

    distinct_names = list(dict.fromkeys(named.names))
    place = {names: index for index, names in enumerate(distinct_names)}
    naming = np.array([place[names] for names in named.names])[:, None]
    variables = [name for names in distinct_names for name in names]
    x, y = np.array([q.x for q in asked]), np.array([q.y for q in asked])

    sizes = np.broadcast_to(judged.members.sizes[:, None], shape)
    entailed = judged.holds_in == sizes
    nli_label = np.where(entailed, 0, np.where(judged.holds_in == 0, 2, 1))
    mixed = cpdags(named.graphs)
    columns: dict[str, pa.Array] = {
        "id": encode_each(_identifiers(named, options)),
        "premise": encode(premises.texts, per_class),
        "hypothesis": encode(
            [text for names in distinct_names for text in sentences(names, options.hypotheses)],
            naming * len(written) + surface,
        ),
        "label": _integers(entailed),
        "nli_label": encode(["entailment", "neutral", "contradiction"], nli_label),
        "num_variables": _integers(np.full(shape, n)),
        "relation": encode([q.relation.value for q in asked], per_question),
        "template": encode([s.template for s in written], surface),
        "x": encode(variables, naming * n + x),
        "y": encode(variables, naming * n + y),
        "class_id": encode(named.class_ids, per_class),
        "class_size": _integers(sizes),
        "holds_in": _integers(judged.holds_in),
        "counterexample": _counterexamples(named, judged),
        "readings_agree": pa.array(judged.readings_agree.ravel()),
        "n_edges": _integers(_spread(np.bitwise_count(skeleton(named.graphs)).sum(axis=1) // 2, shape)),
        "n_statements": _integers(_spread(premises.n_statements, shape)),
        "n_compelled": _integers(_spread(np.bitwise_count(mixed.directed).sum(axis=1), shape)),
    }
    return pa.table(columns, schema=ENCODED_SCHEMA)


def _identifiers(named: NamedClasses, options: RowOptions) -> list[str]:
    """Name each row by class, nodes of the representative (from 1) and relation: the same for every seed."""
    asked = [(q.x, q.y, q.relation.value) for q in questions(named.n, options.hypotheses)]
    return [
        f"{class_id}-{nodes[x]}-{nodes[y]}-{relation}"
        for class_id, nodes in zip(named.class_ids, (named.original + 1).tolist(), strict=True)
        for x, y, relation in asked
    ]


def _counterexamples(named: NamedClasses, judged: Judgements) -> pa.DictionaryArray:
    """Say the edges of the first member in which each hypothesis fails; of the other members nothing is said."""
    failing, places = np.unique(judged.first_failure, return_inverse=True)
    n_none = int(np.count_nonzero(failing < 0))  # -1 comes first, if it is there
    shown = failing[n_none:]
    owners = np.searchsorted(judged.members.starts, shown, side="right") - 1
    texts = [
        verbalise_edges((named.names[owner][u], named.names[owner][v]) for u, v in edges(parents))
        for owner, parents in zip(owners.tolist(), judged.members.parents[shown], strict=True)
    ]
    return encode(texts, places.reshape(judged.first_failure.shape) - n_none)


def _spread(per_class: Codes, shape: tuple[int, int]) -> Codes:
    return np.broadcast_to(per_class[:, None], shape)


def _integers(values: npt.NDArray[np.generic]) -> pa.Array:
    return pa.array(values.ravel().astype(np.int64))
