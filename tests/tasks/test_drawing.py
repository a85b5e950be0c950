"""Draws are uniform over what is stated: size, relation, answer, question, names, wording."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from itertools import permutations

import pytest

from corr2cause.dataset.options import GenerationOptions, Hypotheses, Names
from corr2cause.tasks import Corr2CauseConfig
from corr2cause.tasks.drawing import Drawn, draw
from corr2cause.tasks.pool import cells_of
from tests.dataset.rows import rows_of

DRAWS = 8_000
MANY = Corr2CauseConfig(min_n=2, max_n=4, seed=3)
RARE = Corr2CauseConfig(min_n=2, max_n=4, seed=3, balanced=False)


@cache
def drawn(config: Corr2CauseConfig) -> tuple[Drawn, ...]:
    cells, names = cells_of(config), config.options(config.max_n).names
    return tuple(draw(cells, names, config.seed, index) for index in range(DRAWS))


def identifier(one: Drawn) -> str:
    return f"n{one.pool.n}-c{one.rank}-{one.question.x + 1}-{one.question.y + 1}-{one.question.relation}"


@cache
def questions_by_cell(balanced: bool, names: str = "shuffled") -> dict[int, dict[str, dict[object, list[str]]]]:
    """List the ids that there are, by size, relation and, if it matters, label: read from rows of the data set.

    Rows about the nodes as they stand, in both directions where a node may get any name.
    """
    hypotheses = Hypotheses.UNORDERED if names == "ordered" else Hypotheses.ORDERED
    found: dict[int, dict[str, dict[object, list[str]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for row in rows_of(GenerationOptions(n=4, names="ordered", hypotheses=hypotheses)):
        found[row["num_variables"]][row["relation"]][row["label"] if balanced else None].append(row["id"])
    groups = 2 if balanced else 1
    kept = {n: {r: c for r, c in cells.items() if len(c) == groups} for n, cells in found.items()}
    return {n: cells for n, cells in kept.items() if cells}


def assert_fits(counts: Counter[object], chances: dict[object, float]) -> None:
    """Test goodness of fit: the statistic of Pearson is within five standard deviations of what chance gives."""
    assert abs(sum(chances.values()) - 1) < 1e-9
    assert set(counts) <= set(chances)
    total = sum(counts.values())
    statistic = sum((counts[key] - total * chance) ** 2 / (total * chance) for key, chance in chances.items())
    freedom = len(chances) - 1
    assert abs(statistic - freedom) < 5 * (2 * freedom) ** 0.5 + 5


@pytest.mark.parametrize("config", [MANY, RARE], ids=["balanced", "as frequent as they are"])
def test_sizes_relations_answers_and_questions_are_each_uniform(config):
    cells = questions_by_cell(config.balanced)
    assert set(cells) == ({3, 4} if config.balanced else {2, 3, 4})
    chances: dict[object, float] = {}
    for of_size in cells.values():
        for of_relation in of_size.values():
            for ids in of_relation.values():
                for one in ids:
                    chances[one] = 1 / len(cells) / len(of_size) / len(of_relation) / len(ids)
    assert_fits(Counter(identifier(one) for one in drawn(config)), chances)


def test_with_ordered_names_each_pair_is_balanced_and_only_what_can_follow_is_asked():
    config = Corr2CauseConfig(min_n=4, max_n=4, names="ordered")
    cells: dict[str, dict[object, list[str]]] = defaultdict(lambda: defaultdict(list))
    for relation, groups in questions_by_cell(True, "ordered")[4].items():
        for label, ids in groups.items():
            for one in ids:
                cells[relation + one.split("-c")[1].split("-", 1)[1]][label].append(one)
    cells = {name: groups for name, groups in cells.items() if len(groups) == 2}
    assert not any("is_child" in name or "is_descendant" in name for name in cells)
    chances = {
        one: 1 / len(cells) / 2 / len(ids) for groups in cells.values() for ids in groups.values() for one in ids
    }
    assert_fits(Counter(identifier(one) for one in drawn(config)), chances)
    assert {one.original for one in drawn(config)} == {(0, 1, 2, 3)}


def test_names_are_uniform_over_the_orders_in_which_x_comes_before_y():
    of_size_4 = [one for one in drawn(MANY) if one.pool.n == 4]
    for x, y in ((0, 1), (3, 1)):
        orders = Counter(one.original for one in of_size_4 if (one.question.x, one.question.y) == (x, y))
        possible = [order for order in permutations(range(4)) if order.index(x) < order.index(y)]
        assert_fits(orders, dict.fromkeys(possible, 1 / 12))


def test_the_wording_is_a_fair_coin_of_its_own():
    pairs = Counter((one.coin, one.question.relation, len(one.names), _label(one)) for one in drawn(MANY))
    for coin, *rest in list(pairs):
        both = pairs[0, *rest] + pairs[1, *rest]
        assert abs(pairs[coin, *rest] - both / 2) < 5 * (both / 4) ** 0.5


def test_no_sentence_tells_its_answer():
    """Template and order of the names, within each size: the answer is Yes in one of two cases."""
    answers: Counter[tuple[object, ...]] = Counter()
    for one in drawn(MANY):
        surface = one.surface
        answers[one.pool.n, surface.template, surface.first < surface.second, _label(one)] += 1
    for *cell, label in list(answers):
        both = answers[*cell, 0] + answers[*cell, 1]
        assert abs(answers[*cell, label] - both / 2) < 5 * (both / 4) ** 0.5


def test_no_pair_of_letters_tells_its_answer():
    answers: Counter[tuple[object, ...]] = Counter()
    for one in drawn(MANY):
        names = tuple(one.names[place] for place in (one.surface.first, one.surface.second))
        answers[one.pool.n, one.surface.claim, names, _label(one)] += 1
    for *cell, label in list(answers):
        both = answers[*cell, 0] + answers[*cell, 1]
        assert abs(answers[*cell, label] - both / 2) < 5 * (both / 4) ** 0.5


def _label(one: Drawn) -> int:
    return int(one.pool.entailed[one.rank, one.pool.asked.index(one.question)])


def test_words_are_drawn_anew_for_each_item():
    config = Corr2CauseConfig(min_n=4, max_n=4, names=Names.WORDS)
    names = [draw(cells_of(config), Names.WORDS, 0, index).names for index in range(300)]
    assert len(set(names)) == 300
    assert all(len(set(one)) == 4 for one in names)


def test_seeds_and_indices_give_streams_of_their_own():
    cells = cells_of(MANY)
    one, other, shifted = (
        [identifier(draw(cells, Names.SHUFFLED, seed, start + index)) for index in range(1_000)]
        for seed, start in ((42, 0), (43, 0), (42, 1))
    )
    by_chance = sum(count**2 for count in Counter(one).values()) / 1_000
    assert abs(sum(map(str.__eq__, one, other)) - by_chance) < 5 * by_chance**0.5
    assert abs(sum(map(str.__eq__, one, shifted)) - by_chance) < 5 * by_chance**0.5
    assert one[1:] == shifted[:-1]
