"""The rules that rows are checked against: a name, how grave a breach is, what it says, and an example of a breach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from corr2cause.spans.rows import Pair, Row

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    Attributes:
        name: as findings and documents call it.
        severity: `error` for what no sound file holds, `warning` for what the guideline asks to look at again.
        says: what must not be, in one line.
        example: rows that break it.
    """

    name: str
    severity: Severity
    says: str
    example: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A breach of a rule.

    Attributes:
        rule: its name.
        severity: of the rule.
        row: the id of the row.
        place: where the row stands in its file.
        pair: the place of the pair in the row, counted from 0; None if it is about the row.
        message: what is wrong, in one line.
    """

    rule: str
    severity: Severity
    row: str
    place: int
    pair: int | None
    message: str


def _row(sentence: str, *pairs: Pair, label: bool | None = None) -> tuple[Row, ...]:
    return (Row("1", sentence, pairs, label),)


def _pair(cause: str, effect: str, causality: str = "Explicit", sententiality: str = "Intra") -> Pair:
    return Pair(cause, effect, causality, sententiality)


_PLAIN = "Frost causes cracks in the road"
_SOUND = _pair("Frost", "cracks in the road")

_MANY = [_pair("Frost", letter) for letter in "ABCDEFGHIJKLMNOPQ"]

_ERRORS = (
    ("half-pair", "one side of a pair is blank", _row(_PLAIN, _pair("Frost", ""))),
    ("blank-pair", "both sides of a pair are blank", _row(_PLAIN, _SOUND, _pair("", ""))),
    ("missing-label", "a label is blank", _row(_PLAIN, Pair("Frost", "cracks in the road", "", "Intra"))),
    ("unknown-label", "a label is outside its vocabulary",
     _row(_PLAIN, _pair("Frost", "cracks in the road", "Explcit"))),
    ("same-spans", "cause and effect are the same", _row(_PLAIN, _pair("Frost", "frost"))),
    ("repeated-pair", "a pair occurs twice in its row", _row(_PLAIN, _SOUND, _pair("frost", "cracks in the road"))),
    ("too-many-pairs", "a row has more than 16 pairs",
     _row("Frost reached A B C D E F G H I J K L M N O P Q for a reason", *_MANY)),
    ("encoding-damage", "a text holds the rests of a wrong encoding", _row("The road�s cracks grew")),
    ("non-ascii-span", "a span holds a character outside ASCII",
     _row("Frost – causes cracks", _pair("Frost –", "cracks"))),
    ("label-against-pairs", "a row is labelled as non-causal and has pairs", _row(_PLAIN, _SOUND, label=False)),
    ("repeated-id", "an id occurs twice", _row("One text") + _row("Another text")),
)  # fmt: skip

_WARNINGS = (
    ("repeated-row", "a text occurs twice", (Row("1", "Frost cracks roads"), Row("2", "frost cracks roads."))),
    ("span-not-verbatim", "a span is not in the text, word for word", _row(_PLAIN, _pair("Frost", "cracks in roads"))),
    ("intra-across-sentences", "Intra, but the spans stand in different sentences only",
     _row("Frost came early. The road cracked", _pair("Frost", "The road cracked", "Implicit"))),
    ("inter-in-one-sentence", "Inter, but both spans stand in one sentence only",
     _row(f"Winter was long. {_PLAIN}", _pair("Frost", "cracks in the road", "Explicit", "Inter"))),
    ("inter-of-one-sentence", "Inter, but the row is one sentence",
     _row(_PLAIN, _pair("Frost", "cracks in the road", "Explicit", "Inter"))),
    ("vague-span", "a span is a pronoun or names nothing", _row("This causes cracks", _pair("This", "cracks"))),
    ("hedged", "the text presents the link as uncertain", _row("Frost may cause cracks", _pair("Frost", "cracks"))),
    ("negated", "the text denies the link", _row("Frost did not cause cracks", _pair("Frost", "cracks"))),
    ("reported", "the text only reports that somebody claims the link",
     _row("Drivers believe that frost causes cracks", _pair("frost", "cracks"))),
    ("explicit-without-marker", "Explicit, but no marker of the guideline is in the row",
     _row("Frost, and then cracks", _pair("Frost", "cracks"))),
    ("implicit-with-marker", "Implicit, but a marker of the guideline links the spans",
     _row("Frost reduced the grip", _pair("Frost", "the grip", "Implicit"))),
    ("joined-effects", "an effect is several, joined by 'and' or 'as well as'",
     _row("Frost causes damage and delays", _pair("Frost", "damage and delays"))),
    ("transitive-pair", "A -> C beside A -> B and B -> C",
     _row("Frost causes cracks, and cracks cause accidents", _pair("Frost", "cracks"), _pair("cracks", "accidents"),
          _pair("Frost", "accidents"))),
    ("reversed-direction", "the cue between the spans points the other way",
     _row("Cracks are caused by frost", _pair("Cracks", "frost"))),
)  # fmt: skip

_GRADES: tuple[tuple[Severity, tuple[tuple[str, str, tuple[Row, ...]], ...]], ...] = (
    ("error", _ERRORS),
    ("warning", _WARNINGS),
)

RULES = {name: Rule(name, severity, says, example) for severity, rules in _GRADES for name, says, example in rules}
"""All rules by name, errors first."""
