"""The rules of the annotation guideline that a machine can look after.

A warning asks a person to look again. Each test is narrow rather than wide: it looks only at what stands between two
spans that are found word for word, in one sentence, so that what it says is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corr2cause.spans.aligning import Status, align, places_ignoring_case
from corr2cause.spans.cues import ACTIVE, GUIDELINE, LINKS, PASSIVE, any_of, markers
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.sentences import Stretch, sentence_stretches
from corr2cause.spans.sententiality import sentences_of, sententiality_of
from corr2cause.spans.words import normalised

_HEDGES = (
    r"(?:may|might|could|possibly|potentially|perhaps|presumably|likely\s+to|thought\s+to|appears?\s+to|seems?\s+to)"
)
_HEDGED = re.compile(
    rf"\b{_HEDGES}(?:\s+(?:not|also|be|have|both|further|directly|even|thus|then))*\s+{any_of(LINKS)}", re.IGNORECASE
)
_AUXILIARIES = r"(?:did|does|do|has|have|had|could|can|was|were|is|are)"
_NEGATED = re.compile(
    rf"\b(?:{_AUXILIARIES}\s+not|{_AUXILIARIES}n['’]t|cannot|never|failed\s+to)(?!\s+(?:only|just|merely|simply)\b)"
    rf"(?:\s+(?:significantly|directly|causally|been|be|to|appear|seem|have))*\s+{any_of(LINKS)}",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:believe[sd]?|claim(?:s|ed)?|argue[sd]?|speculate[sd]?|hypothesi[sz]e[sd]?|propose[sd]?|assume[sd]?"
    r"|postulate[sd]?|suggest(?:s|ed)?)\s+that\b(?!.*;)",
    re.IGNORECASE | re.DOTALL,
)
# what suggests something, in a report of findings that are its own
_OWN = re.compile(
    r"\b(?:results?|findings?|data|evidence|stud(?:y|ies)|analys[ie]s|reviews?|models?|research|work|observations?"
    r"|experiments?|estimates?|trials?|we|our|this|these)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?:it|this|that|these|those|they|them|he|she|we|which|who|such|its|their|both|all|others?|the\s+(?:former|latter))"
    r"|(?:this|these|that|those|such|both)\s+(?:\w+\s+)?(?:findings?|results?|effects?|associations?|relationships?"
    r"|relations?|links?|factors?|changes?|outcomes?|phenomen(?:on|a)|things?|issues?|processes|process|aspects?)",
    re.IGNORECASE,
)
# two nouns, the first without a preposition, so that nothing else can be what is joined ("lung and breast cancer")
_NOUN_END = (
    r"(?:tion|sion|ment|ness|ity|ism|osis|itis|emia|oma|ance|ence|ency|ancy|pathy|damage|disease|death|pain|cancer|loss"
    r"|stroke|stress|injury|failure|risk|growth)s?"
)
_JOINED = re.compile(
    rf"(?:(?!(?:of|in|into|for|with|on|to|by|that|which|from|among|regarding|between|and|or|emergency)\b)[\w'’-]+,?\s+)*[\w-]*{_NOUN_END}"
    r",?\s+(?:and|as\s+well\s+as)\s+(?!(?:its?|their|thus|hence|thereby|so|repair|related|associated)\b).+",
    re.IGNORECASE | re.DOTALL,
)
_ARTICLE = r"\s*(?:(?:the|a|an|this|these|its|their)\s*)?"
_BE = r"(?:(?:is|are|was|were|be|been|being|can|that|which|has|have)\s+|\w+ly\s+)*"
_PASSIVE = re.compile(rf"\s*{_BE}{any_of(PASSIVE)}{_ARTICLE}", re.IGNORECASE)
_ACTIVE = re.compile(rf"\s*(?:(?:can|that|which|also)\s+|\w+ly\s+)*{any_of(ACTIVE)}{_ARTICLE}", re.IGNORECASE)
_OF_CAUSES = re.compile(r"\bcaus(?:al|e)", re.IGNORECASE)  # "a causal driver" is marked, if by no listed marker
_TURN = re.compile(r"\b(?:but|instead|rather|whereas|although|while|however)\b|;", re.IGNORECASE)
_WORDS = r"(?:\s+(?!(?:and|or|but|while|whereas)\b)[\w'’-]+)"
_LINKING_MARKER = re.compile(rf"{_WORDS}{{0,6}}\s+({any_of(GUIDELINE)}){_WORDS}{{0,2}}\s*", re.IGNORECASE)

Breach = tuple[str, int | None, str]


@dataclass(frozen=True, slots=True)
class _Link:
    """Two spans in one sentence.

    Attributes:
        before: what stands before the first of them, in that sentence.
        between: what stands between them.
        cause_first: which of them comes first.
    """

    before: str
    between: str
    cause_first: bool


def lint_row(row: Row) -> Iterator[Breach]:
    """Yield the breaches of the guideline in a row: the name of the rule, the place of the pair, what is wrong.

    Pairs of which a side is blank are passed over. O(pairs * length of the text).
    """
    if not row.pairs:
        return
    stretches = sentence_stretches(row.sentence)
    has_marker = bool(markers(row.sentence) or _OF_CAUSES.search(row.sentence))
    for place, pair in enumerate(row.pairs):
        if not pair.is_whole:
            continue
        for rule, message in (*_spans(pair, row), *_scope(pair, row, stretches), *_wording(pair, row, stretches)):
            yield rule, place, message
        if pair.causality == "Explicit" and not has_marker:
            yield "explicit-without-marker", place, "no marker of the guideline is in the row; is it Implicit?"
    yield from _transitive(row.pairs)


def _spans(pair: Pair, row: Row) -> Iterator[tuple[str, str]]:
    """Check each span by itself."""
    for side in ("cause", "effect"):
        span = getattr(pair, side)
        found = align(span, row.sentence)
        if not found.is_verbatim:
            like = f"; alike is {_part(row, found.places[0])!r}" if found.status is Status.FUZZY else ""
            yield "span-not-verbatim", f"the {side} {span!r} is not in the text{like}"
        if _VAGUE.fullmatch(span.strip()):
            yield "vague-span", f"the {side} {span!r} names nothing; write what it stands for"
    if _JOINED.fullmatch(pair.effect.strip()):
        yield "joined-effects", f"the effect {pair.effect!r} joins several; independent effects are pairs of their own"


def _scope(pair: Pair, row: Row, stretches: Sequence[Stretch]) -> Iterator[tuple[str, str]]:
    """Check the sententiality."""
    found = sententiality_of(pair, row.sentence, stretches)
    if pair.sententiality == "Intra" and found == "Inter":
        yield "intra-across-sentences", "the spans stand in different sentences; is it Inter?"
    if pair.sententiality == "Inter" and len(stretches) == 1:
        yield "inter-of-one-sentence", "the row is one sentence; is it Intra?"
    elif pair.sententiality == "Inter" and found == "Intra":
        yield "inter-in-one-sentence", "both spans stand in one sentence; is it Intra?"


def _wording(pair: Pair, row: Row, stretches: Sequence[Stretch]) -> Iterator[tuple[str, str]]:
    """Check what the text says between the spans, and before them."""
    link = _link(pair, row, stretches)
    if link is None:
        return
    if hedge := _last_word(_HEDGED, link):
        yield "hedged", f"{_shown(hedge)} presents the link as uncertain"
    if denial := _last_word(_NEGATED, link):
        yield "negated", f"{_shown(denial)} denies the link"
    report = _REPORTED.search(link.before)
    if report and not ("suggest" in report[0].lower() and _OWN.search(link.before, 0, report.start())):
        yield "reported", f"{_shown(report[0])} only reports a claim"
    if pair.causality == "Implicit" and (marker := _LINKING_MARKER.fullmatch(link.between)):
        yield "implicit-with-marker", f"the marker {_shown(marker[1])} links the spans; is it Explicit?"
    against = _PASSIVE if link.cause_first else _ACTIVE
    if cue := against.fullmatch(link.between):
        yield "reversed-direction", f"{_shown(cue[0])} says that the spans are the other way round"


def _link(pair: Pair, row: Row, stretches: Sequence[Stretch]) -> _Link | None:
    """Return how two spans stand to each other, if each has one place only, and both in one sentence."""
    found = [places_ignoring_case(span, row.sentence) for span in (pair.cause, pair.effect)]
    if any(len(places) != 1 for places in found):
        return None
    (cause,), (effect,) = found
    sentence = {*sentences_of(cause, stretches), *sentences_of(effect, stretches)}
    first, second = sorted((cause, effect))
    if len(sentence) > 1 or first[1] > second[0]:
        return None
    begin = stretches[sentence.pop()][0]
    return _Link(row.sentence[begin : first[0]], row.sentence[first[1] : second[0]], cause < effect)


def _transitive(pairs: Sequence[Pair]) -> Iterator[Breach]:
    """Find A -> C beside A -> B and B -> C."""
    sides = [(normalised(pair.cause), normalised(pair.effect)) for pair in pairs if pair.is_whole]
    effects: dict[str, set[str]] = {}
    for cause, effect in sides:
        effects.setdefault(cause, set()).add(effect)
    for place, pair in enumerate(pairs):
        cause, effect = normalised(pair.cause), normalised(pair.effect)
        between = sorted(
            middle for middle in effects.get(cause, set()) - {effect, cause} if effect in effects.get(middle, set())
        )
        if between and pair.is_whole and cause != effect:
            yield "transitive-pair", place, f"it follows from the pairs through {between[0]!r}; does the text say it?"


def _part(row: Row, place: Stretch) -> str:
    return row.sentence[slice(*place)]


def _last_word(pattern: re.Pattern[str], link: _Link) -> str | None:
    """Return what a pattern finds between two spans, if no "but" turns it before the second."""
    found = pattern.search(link.between)
    return found[0] if found and not _TURN.search(link.between, found.end()) else None


def _shown(words: str) -> str:
    return repr(" ".join(words.split()))
