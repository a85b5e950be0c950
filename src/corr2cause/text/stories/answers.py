"""What a model wrote when it was asked for a story: its three parts, and which phrase stands for which variable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from corr2cause.errors import ParseError
from corr2cause.text.facts import Hypothesis

# At the beginning of a line or after a full stop; with a colon, or alone on its line as in Markdown.
_HEADING = re.compile(
    r"(?:^[^\w\n]{0,9}(?:\d+[^\w\n]{1,9})?|(?<=[.!?] )[\"'*_]{0,3}(?-i:(?=[A-Z])))"
    r"(?P<part>premise|hypothesis|relation(?:ship)?(?: between the (?:promise|premise) and (?:the )?hypothesis)?)"
    r"\b[^\w\n:]{0,9}(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)
_PARTS = ("premise", "hypothesis", "relation")

# Words before which no phrase for a variable reaches back: "a link between screen time (A) and hours of sleep (B)".
_BORDER = re.compile(
    r"[,.;:!?()\n*]|\b(?:among|and|are|as|because|been|between|both|but|by|consider|does|given|has|have|how|if|in|include|"
    r"includes|including|influences?|is|like|no|not|on|or|say|so|such|that|then|to|variables?|was|when|where|whether|"
    r"which|while|with)\b",
    re.IGNORECASE,
)
# Where an item of a list begins, all of which is a phrase: "time spent with friends (A), supply and demand (B)".
_ITEM = re.compile(
    r"(?:\)\s*[,;]|\)(?=\s+(?:and|or)\b)|:|\b(?:among|between|both|consider|include|includes|including)\b|"
    r"\b(?:aspects|events|factors|quantities|things|variables)\s*,)\s*(?:(?:and|both|or)\s+)?",
    re.IGNORECASE,
)
_NO_ITEM = re.compile(
    r"[,.;:!?()*]|\b(?:are|as|because|but|do|does|given|goes?|has|have|if|is|no|not|so|such|that|then|was|were|when|where|"
    r"whether|which|while|who|whose|(?:affect|associat|caus|correlat|depend|independen|influenc|lead|link|relat|remain)\w*)\b",
    re.IGNORECASE,
)
_DETERMINER = re.compile(r"^(?:(?:a|an|the|their|your|his|her|our|its|more|less|higher|lower|increased)\s+)+")
# "A: hours of sleep", "let A be hours of sleep"
_START = r"(?:^|[\n;,.(]|\b[Aa]nd|\b[Ll]et|\b[Ww]here|\b[Vv]ariable)"
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
    stands for hours of sleep". Where several phrases end in the shortest of them, as in "more weight (C)" and "it
    depends on weight (C)", that one is meant.

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
        if not _mentions(hypothesis, phrases[name]) and not list(_candidates(name, names, hypothesis)):
            raise StoryError(hypothesis, f"the hypothesis does not speak of the variable {name}", Fault.SILENT)
    return WrittenStory(premise, hypothesis, explanation, phrases)


def _parts(text: str) -> tuple[str, str, str]:
    """Cut an answer at its headings; what stands before the first is passed over."""
    text = "\n".join(text.splitlines())
    found = list(_HEADING.finditer(text))
    order = tuple(heading["part"].lower().split()[0].removesuffix("ship") for heading in found)
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
    shortest = min(found, key=len)
    if not all(f" {phrase}".endswith(f" {shortest}") for phrase in found):
        problem = f"the variable {name} is bound to several phrases ({', '.join(found)})"
        raise StoryError(text, problem, Fault.SEVERAL)
    return shortest


def _mentions(text: str, phrase: str) -> bool:
    """Whether a text says a phrase, in the plural too, and not as a part of another word."""
    return re.search(rf"(?<!\w){re.escape(phrase)}(?:e?s)?(?!\w)", " ".join(text.lower().split())) is not None


def _candidates(name: str, names: tuple[str, ...], text: str) -> Iterator[str]:
    """Yield every phrase that the text binds to a variable."""
    mark, inside, said = _patterns(name)
    taken = {other.lower() for other in names}
    for match in mark.finditer(text):
        yield from _phrase(_last_phrase(text, match.start()), taken)
    for match in inside.finditer(text):
        yield from _phrase(match["phrase"], taken)
    for match in said.finditer(text):
        yield from _phrase(_BORDER.split(match["phrase"].lstrip(_QUOTES))[0], taken)


def _last_phrase(text: str, end: int) -> str:
    """Return the phrase that ends at a place of a text."""
    start = max(0, *(text.rfind(border, 0, end) for border in "()\n"))
    before = text[start:end].rstrip(_QUOTES)
    if begins := list(_ITEM.finditer(before)):
        item = before[begins[-1].end() :].lstrip(_QUOTES)
        if item and not _NO_ITEM.search(item):
            return item
    return _BORDER.split(before)[-1]


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
