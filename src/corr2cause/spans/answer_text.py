"""What of a model's answer is its answer: without the thinking before it and the fences around it, and whole."""

from __future__ import annotations

import re

_MARK = re.compile(r"(</?think>)", re.IGNORECASE)
_FENCE = re.compile(r"```(?:[\w-]+[ \t]*$)?", re.MULTILINE)


def whole_characters(text: str) -> str:
    r"""Replace halves of characters (lone surrogates), which no file can hold, by U+FFFD.

    An answer that is cut off within an escape such as "\ud83d\ude00" ends in one. Two halves become one character.

    >>> whole_characters("smoke \ud83d"), whole_characters("\ud83d\ude00") == "\U0001f600"
    ('smoke \ufffd', True)
    """
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def said(text: str) -> str:
    """Take off thinking and code fences.

    An end of thinking that nothing began ends all that stands before it: some prompts begin it themselves. Thinking
    that never ends is all thinking.

    Returns:
        What is left.  Linear in the length of the text.

    >>> said("0 <think>or 1</think>"), said("maybe 1</think> 0"), said("<think>so far 1"), said("```json\\n[]\\n```")
    ('0 ', ' 0', '', '\\n[]\\n')
    """
    kept: list[str] = []
    is_thinking = False
    for part in _MARK.split(whole_characters(text)):
        mark = part.lower()
        if mark == "<think>":
            is_thinking = True
        elif mark == "</think>":
            kept = kept if is_thinking else []
            is_thinking = False
        elif not is_thinking:
            kept.append(part)
    return _FENCE.sub("", "".join(kept))
