"""The one reader of answers: what somebody wrote, as yes, no, or neither. Needs no library."""

from __future__ import annotations

import re
from enum import IntEnum


class Answer(IntEnum):
    """What a text says; the numbers of NO and YES are those of the labels."""

    NO = 0
    YES = 1
    UNREADABLE = 2


_YES = ("yes", "true", "entailment", "entailed", "1", "1.0")
_FAMILIES = (
    ("true", "false"),
    ("not entailment", "not entailed", "non entailment", "entailment", "entailed", "neutral", "contradiction"),
)
"""Words that answer only where an answer is due: elsewhere "it is true that" would be one."""

_STOP = r"(?=\s*\Z|\ ?(?:[^\w\s-]|\n|-+\s))"  # the end of the text or the line, or a mark that is no hyphen
_AND = r"(?=\ (?:and|or|but|nor)\b)"
_AFTER_NO = r"(?=\ (?:yes|no|because|since|as|it|this|that|the|we|i|there|you)\b)"  # not "no graph", "no longer"

_YES_OR_NO = rf"\b(?:yes\b|no\b(?:{_STOP}|{_AND}|{_AFTER_NO}))"
_OTHER_WORDS = tuple(rf"\b(?:{'|'.join(family)})\b(?:{_STOP}|{_AND})" for family in _FAMILIES)
_NUMBER = r"[01](?:\.0)?(?=\.?\s*\Z)"

_ASIDE = r"[\s:,=>-]*+(?:(?:therefore|thus|hence|clearly|simply|definitely)\b[\s:,]*+)?+"
_SURE_MARK = r"\banswers?(?: to (?:the|this) question)?\ ?(?:[:=\n]|-\s|(?:is|was|(?:would|should|must|has to) be)\b)"
_MARK = r"\b(?:therefore|thus|hence|so|conclusion|verdict|result|label|prediction|relation)\b"
_LAST_WORDS = re.compile(rf"{_SURE_MARK}{_ASIDE}|{_MARK}{_ASIDE}(?={'|'.join((_YES_OR_NO, *_OTHER_WORDS, _NUMBER))})")
_SAID = re.compile(rf"(?:\bnot (?:an? )?)?{_YES_OR_NO}")
_LEADING = tuple(re.compile(words) for words in (*_OTHER_WORDS, _NUMBER))

_DECORATION = re.compile(r"\\text\b|[*_`\"'“”‘’#()\[\]{}$\\<>|~]")
_HANDED_IN = re.compile(r"\\boxed\b|<answer>")


def read_answer(text: str | None) -> Answer:
    r"""Read what a text answers to the question whether a hypothesis follows.

    The rule, in this order:

    1. Case, quotes, brackets and Markdown do not matter. What stands before the last `</think>` is passed over; a
       text that never stops thinking answers nothing. `\boxed{…}` and `<answer>…</answer>` are read as "answer: …".
    2. The last statement of an answer decides alone: what follows the last "answer:", "answer is" (or was, would be,
       …), or the last "therefore", "thus", "hence", "so", "conclusion", "verdict", "result", "label", "prediction",
       "relation" that an answer follows at once. Without any of them the whole text is read.
    3. There, yes and no are answers wherever they stand, but for the "no" of "no graph" or "no longer". True and
       false, entailment (or entailed) and not entailment, neutral, contradiction are answers if one of them comes
       first; 1 and 0 (or 1.0, 0.0) if nothing else is there. Neutral and contradiction mean no.
    4. If all that is said there is yes, it is YES; if all is no, NO. Anything else is UNREADABLE: both, neither,
       "not yes", nothing. Which came first decides nothing.

    Args:
        text: what a model wrote, or a label; None is no answer.

    Returns:
        The answer.  Linear in the length of the text.

    >>> [read_answer(text).name for text in ("**Yes**", "Yes and No", "No graph has it. Therefore: Yes.", "neutral")]
    ['YES', 'UNREADABLE', 'YES', 'NO']
    """
    plain = _plain(text or "")
    marks = [mark.end() for mark in _LAST_WORDS.finditer(plain)]
    statement = plain[marks[-1] if marks else 0 :].lstrip(" \n\t:,.=-")
    said = {_meaning(words) for words in _words(statement)}
    return said.pop() if len(said) == 1 else Answer.UNREADABLE


def _plain(text: str) -> str:
    """Take off what surrounds words without changing them, and space out what stays."""
    _, _, text = text.lower().rpartition("</think>")
    if "<think>" in text:
        return ""
    text = _DECORATION.sub(" ", _HANDED_IN.sub("answer: ", text).replace("</answer>", "\n"))
    text = re.sub(r"\b(not|non)-", r"\1 ", text)
    return re.sub(r"[^\S\n]+", " ", text.replace("\r", "\n"))


def _words(statement: str) -> list[str]:
    """Return every answer in a statement."""
    found = _SAID.findall(statement)
    for pattern in _LEADING:
        if pattern.match(statement):
            found += pattern.findall(statement)
    return found


def _meaning(words: str) -> Answer:
    if words in _YES:
        return Answer.YES
    return Answer.UNREADABLE if words.startswith("not") and "entail" not in words else Answer.NO
