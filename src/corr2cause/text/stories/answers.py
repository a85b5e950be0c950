"""What a model wrote when it was asked for a story: its three parts, and which phrase stands for which variable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from corr2cause.errors import ParseError
from corr2cause.text.facts import Hypothesis

_HEADING = re.compile(
    r"^[^\w\n]{0,9}(?:\d+[^\w\n]{1,9})?"
    r"(?P<part>premise|hypothesis|relation between the (?:promise|premise) and (?:the )?hypothesis)\b[^\w\n:]*:",
    re.IGNORECASE | re.MULTILINE,
)
_PARTS = ("premise", "hypothesis", "relation")

# Words before which no phrase for a variable reaches back: "a link between screen time (A) and hours of sleep (B)".
_BORDER = re.compile(
    r"[,.;:!?()\n]|\b(?:among|and|are|as|because|been|between|both|but|by|consider|does|given|has|have|how|if|in|include|"
    r"includes|including|influences?|is|like|no|not|on|or|say|so|such|that|then|to|variables?|was|when|where|whether|"
    r"which|while|with)\b",
    re.IGNORECASE,
)
_DETERMINER = re.compile(r"^(?:(?:a|an|the|their|your|his|her|our|its|more|less|higher|lower|increased)\s+)+")
# "A: hours of sleep", "let A be hours of sleep"
_START = r"(?:^|[\n;,.(]|\b[Aa]nd|\b[Ll]et|\b[Vv]ariable)"
_MEANS = r"(?:[:=]|represents?|denotes?|stands? for|refers? to|be\b)"

_QUOTES = " \t\n\"'*_`“”‘’"


class Fault(StrEnum):
    """Why an answer is no story."""

    PARTS = "a part is missing, repeated or empty"
    UNBOUND = "a variable is bound to no phrase"
    SEVERAL = "a variable is bound to several phrases"
    SHARED = "two variables share a phrase"
    SILENT = "the hypothesis does not speak of its variables"


@dataclass(eq=False)
class StoryError(ParseError):
    """An answer that is no story.

    Attributes:
        fault: why, in general; `problem` says it of this answer.
    """

    fault: Fault = Fault.PARTS


@dataclass(frozen=True, slots=True)
class WrittenStory:
    """A story that a model wrote about an item. Its label is that of the item, never its own.

    Attributes:
        premise: the first part.
        hypothesis: the second part.
        explanation: the third part.
        phrases: by the name of each variable, what stands for it, in lower case and without article.
    """

    premise: str
    hypothesis: str
    explanation: str
    phrases: Mapping[str, str]


def parse_written_story(text: str, names: tuple[str, ...], claim: Hypothesis) -> WrittenStory:
    """Read an answer to the request for a story.

    A variable is bound where the text says "hours of sleep (A)", "A (hours of sleep)", "A: hours of sleep" or "A
    stands for hours of sleep".

    Args:
        text: all that the model wrote.
        names: the variables of the item.
        claim: the hypothesis of the item.

    Raises:
        StoryError: a part is missing, stands twice, or is empty; a variable is bound to no phrase or to several; two
            share one; or the hypothesis does not name the two that the item's does.

    >>> text = "Premise: Rain (A) goes along with floods (B).\\nHypothesis: Rain causes floods.\\nRelation between the "
    >>> text += "premise and hypothesis: It does not follow."
    >>> from corr2cause.text.wording import Claim
    >>> dict(parse_written_story(text, ("A", "B"), Hypothesis(Claim.DIRECT, "A", "B")).phrases)
    {'A': 'rain', 'B': 'floods'}
    """
    premise, hypothesis, explanation = _parts(text)
    phrases = {name: _bound(name, names, f"{premise}\n{hypothesis}") for name in names}
    for name, phrase in phrases.items():
        if list(phrases.values()).count(phrase) > 1:
            raise StoryError(phrase, f"the phrase of the variable {name} stands for another one, too", Fault.SHARED)
    for name in (claim.first, claim.second):
        if phrases[name] not in hypothesis.lower() and not list(_candidates(name, names, hypothesis)):
            raise StoryError(hypothesis, f"the hypothesis does not speak of the variable {name}", Fault.SILENT)
    return WrittenStory(premise, hypothesis, explanation, phrases)


def _parts(text: str) -> tuple[str, str, str]:
    """Cut an answer at its headings; what stands before the first is passed over."""
    found = list(_HEADING.finditer(text))
    order = tuple(heading["part"].lower().split()[0] for heading in found)
    if order != _PARTS:
        said = ", ".join(order) or "none"
        raise StoryError(text, f"expected the parts {', '.join(_PARTS)}, each once; found {said}")
    ends = [heading.start() for heading in found[1:]] + [len(text)]
    contents = [text[heading.end() : end].strip(_QUOTES) for heading, end in zip(found, ends, strict=True)]
    for name, content in zip(_PARTS, contents, strict=True):
        if not content:
            raise StoryError(text, f"the part {name} is empty")
    premise, hypothesis, explanation = contents
    return premise, hypothesis, explanation


def _bound(name: str, names: tuple[str, ...], text: str) -> str:
    """Return the one phrase that a variable is bound to."""
    found = dict.fromkeys(_candidates(name, names, text))
    if not found:
        raise StoryError(text, f"the variable {name} is bound to no phrase", Fault.UNBOUND)
    if len(found) > 1:
        problem = f"the variable {name} is bound to several phrases ({', '.join(found)})"
        raise StoryError(text, problem, Fault.SEVERAL)
    return next(iter(found))


def _candidates(name: str, names: tuple[str, ...], text: str) -> Iterator[str]:
    """Yield every phrase that the text binds to a variable."""
    mark, inside, said = _patterns(name)
    taken = {other.lower() for other in names}
    for match in mark.finditer(text):
        start = 1 + max(text.rfind(border, 0, match.start()) for border in "()\n")
        yield from _phrase(_BORDER.split(text[start : match.start()])[-1], taken)
    for match in inside.finditer(text):
        yield from _phrase(match["phrase"], taken)
    for match in said.finditer(text):
        yield from _phrase(_BORDER.split(match["phrase"])[0], taken)


def _phrase(found: str, taken: set[str]) -> Iterator[str]:
    """Yield a phrase in its plain form, unless it is empty or the name of a variable."""
    plain = _DETERMINER.sub("", " ".join(found.strip(_QUOTES).lower().split())).strip(_QUOTES)
    if plain and plain not in taken:
        yield plain


@lru_cache(maxsize=256)
def _patterns(name: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    own = re.escape(name)
    return (
        re.compile(rf"\(\s*(?:variable\s+)?[\"'*]*{own}[\"'*]*\s*\)"),
        re.compile(rf"(?<![\w(]){own}\s*\((?P<phrase>[^()\n]+)\)"),
        re.compile(rf"{_START}[\s*\-]{{0,9}}{own}\**\s*{_MEANS}\s*(?P<phrase>[^.,;:()\n]+)"),
    )
