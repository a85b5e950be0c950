"""The columns by which other people's files are known, and how premise and hypothesis stand in them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

LABEL_COLUMNS = ("label", "relation", "nli_label", "answer")
"""Where a label may stand, the surest first: beside `label`, our own `relation` says is_parent and the like."""

_NAMES = {
    ("query",): "as in Corr2Cause++",
    ("input", "num_variables", "template"): "as published",
    ("input",): "as the TFDS readers take it",
    ("premise", "hypothesis", "class_id"): "as this package writes it",
    ("premise", "hypothesis", "relation", "id"): "as in the published JSON form",
    ("premise", "hypothesis", "relation"): "as tasksource has it",
    ("premise", "hypothesis"): "with columns of its own",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns of a file hold what.

    Attributes:
        name: whose layout it is, for people.
        texts: one column that holds "Premise: …" and "Hypothesis: …", or one for each.
        label: the column of the label; None if there is none.
        template: the column of the kind of hypothesis.
        n: the column of the number of variables.
    """

    name: str
    texts: tuple[str, ...]
    label: str | None
    template: str | None
    n: str | None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read, in the order of `RowReader`."""
        return (*self.texts, *filter(None, (self.label, self.template, self.n)))


def layout_of(columns: Collection[str]) -> Layout | None:
    """Recognise a layout by its columns; None if nothing there can be a premise with a hypothesis.

    >>> layout_of(["premise", "hypothesis", "relation"]).label
    'relation'
    """
    known = next((names for names in _NAMES if set(names) <= set(columns)), None)
    if known is None:
        return None

    def first(candidates: Collection[str]) -> str | None:
        return next((name for name in candidates if name in columns), None)

    return Layout(
        name=_NAMES[known],
        texts=known[:2] if known[0] == "premise" else known[:1],
        label=first(LABEL_COLUMNS),
        template=first(("template", "relation_type")),
        n=first(("num_variables",)),
    )


def cut(text: str) -> tuple[str, str] | None:
    r"""Cut a text into premise and hypothesis; None if it does not read "Premise: …" and below it "Hypothesis: …".

    >>> cut("Premise: All is known.\nHypothesis: A directly causes B.")
    (' All is known.\n', ' A directly causes B.')
    """
    place = text.rfind("Hypothesis:")
    if place < 1 or text[place - 1] not in "\r\n" or not text.startswith("Premise:"):
        return None
    return text[len("Premise:") : place], text[place + len("Hypothesis:") :]
