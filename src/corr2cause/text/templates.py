"""Templates backwards: a sentence with named places, compiled to find what stands in the places of a text.

A name is what stands between the words of a template. `naming.check_names` keeps out the names with which a sentence
could be cut in two ways, so the leftmost cut is the only one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Generic, TypeVar

from corr2cause.errors import ParseError

Meaning = TypeVar("Meaning")


@dataclass(frozen=True, slots=True, eq=False)
class Template(Generic[Meaning]):
    """A sentence with named places, its regular expression, and what it means that a text fits it.

    There is one object for each sentence, so that a template is equal to itself only.
    """

    sentence: str
    pattern: re.Pattern[str]
    meaning: Meaning


def compiled(sentence: str, meaning: Meaning) -> Template[Meaning]:
    """Compile a template. Its groups are atomic: no place is tried twice, so long nonsense costs linear time."""
    start, *rest = re.split(r"\{(\w+)\}", sentence)
    places = zip(rest[::2], rest[1::2], strict=True)
    pattern = "".join(rf"(?>(?P<{place}>.+?){re.escape(words)})" for place, words in places)
    return Template(sentence, re.compile(re.escape(start) + pattern), meaning)


def read(sentence: str, templates: Sequence[Template[Meaning]]) -> tuple[Meaning, dict[str, str]]:
    """Find the first template that a sentence fits.

    Returns:
        What the template means, and what stands in its places.

    Raises:
        ParseError: none fits; names the sentence that comes nearest of those that were expected.

    >>> read("B causes A.", [compiled("{cause} causes {effect}.", "causation")])
    ('causation', {'cause': 'B', 'effect': 'A'})
    """
    for template in templates:
        if match := template.pattern.fullmatch(sentence):
            return template.meaning, match.groupdict()
    others = len(templates) - 1
    more = f" or one of {others} other forms" if others > 1 else " or one other form" if others else ""
    raise ParseError(sentence, f'expected "{_nearest(sentence, templates)}"{more}')


_WORDS_COMPARED = 50  # more than any template has; the time grows with the square


def _nearest(sentence: str, templates: Sequence[Template[Meaning]]) -> str:
    """Find the template that shares most words with a sentence, in their order; of equally many the first."""
    said = SequenceMatcher(b=sentence.split(maxsplit=_WORDS_COMPARED)[:_WORDS_COMPARED], autojunk=False)
    nearest, most = templates[0].sentence, 0.0
    for template in templates:
        said.set_seq1(template.sentence.split())
        if (ratio := said.ratio()) > most:
            nearest, most = template.sentence, ratio
    return nearest


def fits_any(sentence: str, templates: Sequence[Template[Meaning]]) -> bool:
    """Whether a sentence fits one of the templates."""
    return any(template.pattern.fullmatch(sentence) for template in templates)
