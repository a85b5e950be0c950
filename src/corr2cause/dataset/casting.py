"""Which quantity plays which variable: at random, or so that common sense is always right, or always wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corr2cause import streams
from corr2cause.dataset.options import StoryMode, StoryOptions
from corr2cause.graphs.discovery import discover
from corr2cause.text.facts import Premise
from corr2cause.text.stories.bank import Domain, nonce_domain, real_domains
from corr2cause.text.stories.telling import DRAWS, Story


def cast(premise: Premise, text: str, options: StoryOptions) -> Story | None:
    """Choose a domain, a quantity for each variable, and the frames of the sentences.

    Frames depend on seed and text alone, so that stories of different modes differ in their quantities only.

    Args:
        premise: the facts.
        text: what they were read from; with the seed, it decides all that is drawn.
        options: mode and seed.

    Returns:
        The story, or None if the mode cannot tell this class: `congruent` and `anti` need an entailed direct cause,
        and quantities of one domain among which common sense knows just these causes (or just their reversals).
    """
    frames = streams.words(options.seed, "story frames", text, rows=range(1), columns=DRAWS)[0]
    for domain in _domains(text, options):
        order = _shuffled(
            options.seed, "story quantities", options.mode, domain.name, text, length=len(domain.quantities)
        )
        places = _cast_from(domain, order, premise, options.mode)
        if places is not None:
            return Story(domain, tuple(domain.quantities[place] for place in places), frames)
    return None


def _domains(text: str, options: StoryOptions) -> Iterator[Domain]:
    """Yield the domains that may be told of, in random order."""
    if options.mode is StoryMode.NONCE:
        yield nonce_domain()
        return
    found = real_domains()
    for place in _shuffled(options.seed, "story domains", options.mode, text, length=len(found)):
        yield found[place]


def _shuffled(seed: int, *purpose: str, length: int) -> list[int]:
    drawn: list[int] = streams.permutations(seed, *purpose, rows=range(1), length=length)[0].tolist()
    return drawn


def _cast_from(domain: Domain, order: Sequence[int], premise: Premise, mode: StoryMode) -> Sequence[int] | None:
    n = len(premise.names)
    if mode in (StoryMode.NONCE, StoryMode.EVERYDAY):
        return order[:n]
    into = discover(n, [(one.first, one.second, one.given) for one in premise.independences]).directed
    if not any(into):
        return None
    return find_cast(_transposed(into) if mode is StoryMode.CONGRUENT else into, domain.effects, order)


def find_cast(arrows: Sequence[int], effects: Sequence[int], order: Sequence[int]) -> tuple[int, ...] | None:
    """Choose a quantity for each variable so that the causes among them are just the given arrows.

    An induced subgraph is sought, by backtracking: variables with many arrows first, quantities in the given order.

    Args:
        arrows: for each of n variables, the mask of those it has an arrow to.
        effects: for each of m quantities, the mask of its effects.
        order: the places of the quantities, in the order of preference.

    Returns:
        The place of the quantity of each variable, or None if there is no such choice.  Milliseconds for n = 6.
    """
    n, everything = len(arrows), (1 << len(effects)) - 1
    causes = _transposed(effects)
    into = _transposed(arrows)
    unrelated = [everything & ~(effects[q] | causes[q] | 1 << q) for q in range(len(effects))]
    turns = _most_connected_first([a | b for a, b in zip(arrows, into, strict=True)])
    cast: dict[int, int] = {}

    def fits(variable: int) -> int:
        mask = everything
        for other, quantity in cast.items():
            if arrows[other] >> variable & 1:
                mask &= effects[quantity]
            elif into[other] >> variable & 1:
                mask &= causes[quantity]
            else:
                mask &= unrelated[quantity]
        return mask

    def fill(turn: int) -> bool:
        if turn == n:
            return True
        variable = turns[turn]
        fitting = fits(variable)
        for quantity in order:
            if fitting >> quantity & 1:
                cast[variable] = quantity
                if fill(turn + 1):
                    return True
                del cast[variable]
        return False

    return tuple(cast[variable] for variable in range(n)) if fill(0) else None


def _transposed(masks: Sequence[int]) -> list[int]:
    return [sum(1 << u for u, mask in enumerate(masks) if mask >> v & 1) for v in range(len(masks))]


def _most_connected_first(neighbours: Sequence[int]) -> list[int]:
    """Order variables so that each has as many arrows as can be to those before it."""
    turns: list[int] = []
    chosen = 0
    while len(turns) < len(neighbours):
        left = [v for v in range(len(neighbours)) if v not in turns]
        turns.append(max(left, key=lambda v: ((neighbours[v] & chosen).bit_count(), neighbours[v].bit_count(), -v)))
        chosen |= 1 << turns[-1]
    return turns
