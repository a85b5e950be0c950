"""Random names, premises and hypotheses; names of every kind that may be used, the trickiest first."""

from __future__ import annotations

import re
from itertools import combinations

from hypothesis import strategies as st

from corr2cause.errors import NamingError
from corr2cause.text.facts import Hypothesis, Independence, Premise
from corr2cause.text.naming import check_names, letters, nouns
from corr2cause.text.wording import AND, CONTRAST, HYPOTHESES, LISTINGS, OPENING, STATEMENTS, Claim

STATEMENT_TEMPLATES = tuple(
    sentence
    for said in STATEMENTS.values()
    for sentence in (said.correlation, said.independence, said.conditional_independence)
)
HYPOTHESIS_TEMPLATES = tuple(sentence for sentences in HYPOTHESES.values() for sentence in sentences.values())
TEMPLATES = (OPENING, *LISTINGS.values(), *STATEMENT_TEMPLATES, *HYPOTHESIS_TEMPLATES)


def words_of(template: str) -> list[str]:
    """Split a template at spaces, without its places and without punctuation at the ends of words."""
    words = re.sub(r"\{\w+\}", " ", template).split()
    return [bare for word in words if (bare := word.strip(",.:") or word)]


TEMPLATE_WORDS = sorted({word for text in (*TEMPLATES, AND, CONTRAST) for word in words_of(text)})


def is_usable(name: str) -> bool:
    try:
        check_names((name,))
    except NamingError:
        return False
    return True


# Made of the very words of the sentences: what check_names lets pass of these must still be read back.
confusing_names = (
    st.lists(st.sampled_from([*TEMPLATE_WORDS, "A", "B", ""]), min_size=1, max_size=6).map(" ".join).filter(is_usable)
)
odd_names = st.one_of(
    st.sampled_from(
        ["NA", "null", "None", "X1", "hours of sleep", "cause of death", "Ärger", "血圧", "ضغط الدم", "💤"]
    ),
    st.text(min_size=1, max_size=8).filter(is_usable),
)
any_name = st.one_of(confusing_names, odd_names, st.sampled_from(letters(26)), st.sampled_from(nouns()))


@st.composite
def premises(draw: st.DrawFn, names: st.SearchStrategy[str] = any_name, max_size: int = 6) -> Premise:
    """Any statements in any order, contradictory ones too; possibly none."""
    chosen = tuple(draw(st.lists(names, min_size=1, max_size=max_size, unique=True)))
    n = len(chosen)
    possible = independences(n)
    return Premise(
        names=chosen,
        correlations=tuple(draw(subsets(list(combinations(range(n), 2))))),
        independences=tuple(draw(subsets(possible))),
        minimal=draw(st.booleans()),
    )


def independences(n: int) -> list[Independence]:
    """Every possible independence among n variables, in the order of the published premises."""
    return [
        Independence(first, second, given)
        for first, second in combinations(range(n), 2)
        for given in sorted(
            given
            for size in range(n - 1)
            for given in combinations([k for k in range(n) if k not in (first, second)], size)
        )
    ]


def subsets(items: list) -> st.SearchStrategy[list]:  # type: ignore[type-arg]
    """Some of the items, each at most once, in any order."""
    return st.lists(st.sampled_from(items), unique=True, max_size=20) if items else st.just([])


@st.composite
def hypotheses(draw: st.DrawFn, names: st.SearchStrategy[str] = any_name) -> Hypothesis:
    first, second = draw(st.lists(names, min_size=2, max_size=2, unique=True))
    return Hypothesis(draw(st.sampled_from(Claim)), first, second)
