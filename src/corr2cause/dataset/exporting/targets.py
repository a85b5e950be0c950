"""The formats that data can be exported to: a name, what it is for, and the module that writes it.

A module has a function `write(selection, folder, date)`, a `Writer`. It is imported when it is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from corr2cause.dataset.exporting.folder import ExportFolder
    from corr2cause.dataset.exporting.items import Selection

TO_LEARN = ("train", "dev", "test")
TO_JUDGE = ("test",)
TO_DESCRIBE = ("train", "dev", "test", "reserve")


class Writer(Protocol):
    """Writes all files of one format."""

    def __call__(self, selection: Selection, folder: ExportFolder, date: str | None) -> None:
        """Write the selection into the folder.

        Args:
            selection: what to export.
            folder: takes the files.
            date: of publication, as YYYY-MM-DD, if it is known.
        """


@dataclass(frozen=True)
class ExportTarget:
    """A format.

    Attributes:
        name: on the command line.
        module: in this package.
        summary: one line for people.
        splits: what is exported unless somebody says otherwise.
        describes: whether it describes the files of the data set rather than making its own from the rows. The files
            are copied, unless the export goes into the folder of the data set itself.
        asks: whether the style of its prompts can be chosen.
        completes: whether its rows hold what a model is taught to say.
    """

    name: str
    module: str
    summary: str
    splits: tuple[str, ...] = TO_LEARN
    describes: bool = False
    asks: bool = False
    completes: bool = False

    @property
    def writer(self) -> Writer:
        """What writes it."""
        module = import_module(f"{__package__}.{self.module}")
        return cast(Writer, module.write)


TARGETS = {
    target.name: target
    for target in (
        ExportTarget("published", "published_form", "the published columns as CSV, and the three classes as JSON"),
        ExportTarget("nli", "nli", "premise, hypothesis, label 0/1/2 as in MNLI; JSONL and Parquet"),
        ExportTarget("chat", "chat", "messages of user and assistant, nothing else; JSONL", asks=True, completes=True),
        ExportTarget("sft", "sft", "prompt and completion for supervised training; JSONL", asks=True, completes=True),
        ExportTarget("grpo", "grpo", "prompt messages and columns for the reward of TRL's GRPO; Parquet", asks=True),
        ExportTarget("verl", "verl", "rows with rule-based rewards for verl; Parquet and reward.py", asks=True),
        ExportTarget("lm-eval", "lm_harness", "tasks of the lm-evaluation-harness, perturbed ones too", TO_JUDGE),
        ExportTarget("inspect", "inspect_task", "samples and a task of inspect_ai; JSONL and Python", TO_JUDGE),
        ExportTarget("croissant", "croissant", "croissant.json, which describes the data files", TO_DESCRIBE, True),
        ExportTarget("hub-card", "hub_folder", "README.md and the data files, ready for a hub", TO_DESCRIBE, True),
    )
}
"""All formats, by name."""
