"""The bank that stories are told from: domains of quantities, their grammar, and what common sense says of them.

One YAML file a domain lies in `domains`; `data/README.md` describes their form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import yaml

NONCE = "nonce"
"""The domain of invented quantities, of which nothing can be known."""

ARTICLE = "the "


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that can be measured.

    Attributes:
        phrase: the noun phrase as it stands inside a sentence, with its article if it needs one.
        is_plural: whether verbs after it are in the plural.
    """

    phrase: str
    is_plural: bool

    @property
    def name(self) -> str:
        """The phrase without its article: the name of the variable in rows.

        >>> Quantity("the number of fans", is_plural=False).name
        'number of fans'
        """
        return self.phrase.removeprefix(ARTICLE)

    @property
    def opening(self) -> str:
        """The phrase as the first words of a sentence."""
        return self.phrase[0].upper() + self.phrase[1:]


@dataclass(frozen=True)
class Domain:
    """Quantities that go together.

    Attributes:
        name: of the file.
        settings: sentences that introduce n quantities, with places for their number in words and their list.
        quantities: all of them, in the order of the file.
        causes: (cause, effect) by place among the quantities: pairs on whose direction any sensible person agrees.
            That a pair is missing says nothing.
    """

    name: str
    settings: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    causes: frozenset[tuple[int, int]]

    @cached_property
    def effects(self) -> tuple[int, ...]:
        """The effects of each quantity, as a mask of places."""
        return tuple(
            sum(1 << effect for cause, effect in self.causes if cause == place) for place in range(len(self.quantities))
        )


@cache
def domains() -> tuple[Domain, ...]:
    """Read every domain, in alphabetical order of their names.  About 50 ms, once."""
    folder = files(__package__).joinpath("domains")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return tuple(
        _domain(file.name.removesuffix(".yaml"), yaml.load(file.read_text(encoding="utf-8"), loader)) for file in found
    )


@cache
def real_domains() -> tuple[Domain, ...]:
    """Return the domains of things that exist."""
    return tuple(domain for domain in domains() if domain.name != NONCE)


@cache
def nonce_domain() -> Domain:
    """Return the domain of invented quantities."""
    (found,) = (domain for domain in domains() if domain.name == NONCE)
    return found


@cache
def quantities_inside() -> Mapping[str, Quantity]:
    """Return every quantity by its phrase inside a sentence."""
    return {quantity.phrase: quantity for domain in domains() for quantity in domain.quantities}


@cache
def quantities_at_the_beginning() -> Mapping[str, Quantity]:
    """Return every quantity by its phrase at the beginning of a sentence."""
    return {quantity.opening: quantity for quantity in quantities_inside().values()}


@cache
def commonsense() -> frozenset[tuple[str, str]]:
    """Return what common sense says: (cause, effect) by the names of all quantities."""
    return frozenset(
        (domain.quantities[cause].name, domain.quantities[effect].name)
        for domain in domains()
        for cause, effect in domain.causes
    )


def _domain(name: str, found: Mapping[str, Any]) -> Domain:
    quantities = tuple(
        Quantity(phrase, number == "plural") for number in ("singular", "plural") for phrase in found[number]
    )
    place = {quantity.phrase: k for k, quantity in enumerate(quantities)}
    causes = frozenset((place[cause], place[effect]) for cause, all_of in found["causes"].items() for effect in all_of)
    return Domain(name, tuple(found["settings"]), quantities, causes)
