"""The labels of other people's files: which kind a column holds, what each says, and how to spell another one alike.

Everything here goes by the text of a cell: `1`, `1.0`, `entailment`, `Yes`, `true`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from corr2cause.dataset.schema import NLI_LABELS

Label = int | str
"""1 (entailed) or 0 (not) of the two-way kinds; `entailment`, `neutral` or `contradiction` of the three-way kinds."""


class LabelKind(StrEnum):
    """What the labels of a file are.

    BINARY says 1 or 0, THREE_WAY 0 for neutral, 1 for entailment and 2 for contradiction, WORDS these words, YES_NO
    yes and no or true and false.
    """

    BINARY = "0/1"
    THREE_WAY = "0/1/2"
    WORDS = "words"
    YES_NO = "yes/no"
    NONE = "none"

    @property
    def is_two_way(self) -> bool:
        """Whether a label only says entailed or not, so that neutral and contradiction are one."""
        return self in (LabelKind.BINARY, LabelKind.YES_NO)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels that can occur, whatever their spelling."""
        if self is LabelKind.NONE:
            return ()
        return (0, 1) if self.is_two_way else NLI_LABELS


_NUMBER = re.compile(r"[012](\.0+)?")
_THREE_WAY = ("neutral", "entailment", "contradiction")
_ANSWERS = {"no": 0, "yes": 1, "false": 0, "true": 1}
_OPPOSITE = {"no": "yes", "yes": "no", "false": "true", "true": "false"}
_REMEMBERED = 1000  # distinct texts; a column of labels has a handful


def label_text(cell: object) -> str:
    """Return a cell of any format as text; an empty one is the empty text.

    >>> label_text(True), label_text(1), label_text(None), label_text("NA")
    ('true', '1', '', 'NA')
    """
    if isinstance(cell, str):
        return cell
    if cell is None:
        return ""
    return json.dumps(cell) if isinstance(cell, bool | int | float) else repr(cell)


def read_label(text: str, kind: LabelKind) -> Label | None:
    """Say what a label means; None if it is none of this kind, such as a 2 among labels 0 and 1.

    >>> read_label("2", LabelKind.THREE_WAY), read_label("2", LabelKind.BINARY)
    ('contradiction', None)
    """
    core = text.strip().lower()
    match kind:
        case LabelKind.WORDS:
            return core if core in NLI_LABELS else None
        case LabelKind.YES_NO:
            return _ANSWERS.get(core)
        case LabelKind.BINARY | LabelKind.THREE_WAY if _NUMBER.fullmatch(core):
            number = int(core[0])
            return _THREE_WAY[number] if kind is LabelKind.THREE_WAY else number if number < 2 else None
    return None


def spelled(label: Label, like: str, kind: LabelKind) -> str:
    """Spell a label in the way of another of its kind: `1.0` and 0 give `0.0`, `Yes` and 0 give `No`.

    Args:
        label: what to say.
        like: the stripped text of a label that says something else.
        kind: of both.

    >>> spelled("neutral", "ENTAILMENT", LabelKind.WORDS), spelled("neutral", "1", LabelKind.THREE_WAY)
    ('NEUTRAL', '0')
    """
    match kind:
        case LabelKind.WORDS:
            return _cased(str(label), like)
        case LabelKind.YES_NO:
            return _cased(_OPPOSITE[like.lower()], like)
        case LabelKind.THREE_WAY:
            return f"{_THREE_WAY.index(str(label))}{like[1:]}"
    return f"{label:d}{like[1:]}"


def label_kind(texts: Iterable[str], is_label: bool = True) -> LabelKind:
    """Tell the kind of a column from all its cells: a single 2 makes it three-way.

    Args:
        texts: the cells; they are read to the end unless a 2 occurs.
        is_label: whether the column holds labels for sure; one that is called `relation` may hold something else.

    Returns:
        The kind of most cells that are labels of any kind. Without one, NONE; but BINARY if the column holds labels
        for sure and is not empty, so that each of its cells is found wrong.

    >>> label_kind(["1", "0", "NA"]).name, label_kind(["1", "0", "2"]).name
    ('BINARY', 'THREE_WAY')
    """
    kinds: dict[str, LabelKind] = {}
    counts: Counter[LabelKind] = Counter()
    for text in texts:
        if text not in kinds:
            if len(kinds) == _REMEMBERED:
                kinds.clear()
            kinds[text] = _kind(text)
        counts[kinds[text]] += bool(text)
        if kinds[text] is LabelKind.THREE_WAY:
            return LabelKind.THREE_WAY
    wrong = counts.pop(LabelKind.NONE, 0)
    fallback = LabelKind.BINARY if wrong and is_label else LabelKind.NONE
    return max(counts, key=counts.__getitem__, default=fallback)


def _kind(text: str) -> LabelKind:
    core = text.strip().lower()
    if _NUMBER.fullmatch(core):
        return LabelKind.THREE_WAY if core[0] == "2" else LabelKind.BINARY
    if core in NLI_LABELS:
        return LabelKind.WORDS
    return LabelKind.YES_NO if core in _ANSWERS else LabelKind.NONE


def _cased(word: str, like: str) -> str:
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[0].isupper() else word
