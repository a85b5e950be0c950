"""Random stories, and facts to tell in them."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from hypothesis import strategies as st

from corr2cause import streams
from corr2cause.dataset.options import GenerationOptions
from corr2cause.text.facts import Independence, Premise
from corr2cause.text.naming import letters
from corr2cause.text.parsing import parse_premise
from corr2cause.text.stories.bank import domains
from corr2cause.text.stories.telling import DRAWS, Story
from tests.dataset.rows import rows_of


@cache
def premises_of_classes() -> tuple[Premise, ...]:
    """Return the premise of every class of two to five variables."""
    texts = dict.fromkeys(row["premise"] for row in rows_of(GenerationOptions(n=5)))
    return tuple(parse_premise(text)[0] for text in texts)


@st.composite
def any_premise(draw: st.DrawFn) -> Premise:
    """Draw the facts of a class, or any others that say of each pair whether it correlates."""
    if draw(st.booleans()):
        found = draw(st.sampled_from(premises_of_classes()))
        return found.with_minimal_sets() if draw(st.booleans()) else found
    n = draw(st.integers(1, 8))
    related, independences = [], []
    for pair in combinations(range(n), 2):
        others = [k for k in range(n) if k not in pair]
        sets = draw(st.sets(st.frozensets(st.sampled_from(others), min_size=1), max_size=4)) if others else set()
        if draw(st.booleans()):
            related.append(pair)
        else:
            independences.append(Independence(*pair))
        independences += [Independence(*pair, given) for given in sorted(tuple(sorted(one)) for one in sets)]
    return Premise(letters(n), tuple(related), tuple(independences), draw(st.booleans()))


@st.composite
def stories(draw: st.DrawFn, n: int) -> Story:
    """Draw a domain, quantities and frames."""
    domain = draw(st.sampled_from(domains()))
    cast = draw(st.permutations(domain.quantities))[:n]
    seed = draw(st.integers(0, 10**6))
    return Story(domain, tuple(cast), streams.words(seed, "test", rows=range(1), columns=DRAWS)[0])
