"""What of a model's answer is its answer: without the thinking before it and the fences around it."""

from __future__ import annotations

import re

_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_THINK_ENDS = re.compile(r".*</think>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^\s*```[\w-]*[ \t]*$|```", re.MULTILINE)


def said(text: str) -> str:
    """Take off thinking and code fences.

    What stands before the last `</think>` is thinking, whether or not it was opened: some prompts open it. A text that
    opens it and never ends it says nothing.

    >>> said("<think>maybe 1</think> 0"), said("```json\\n[]\\n```").strip(), said("<think>so far 1")
    (' 0', '[]', '')
    """
    text = _THINK_ENDS.sub("", _THOUGHT.sub("", text))
    return _FENCE.sub("", text.split("<think>")[0])
