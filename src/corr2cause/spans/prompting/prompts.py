"""Rows as prompts, and their true answers as training targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corr2cause.asking.prompts import Message, Prompt
from corr2cause.spans.names import DESCRIBED
from corr2cause.spans.prompting import wording
from corr2cause.spans.prompting.examples import Example
from corr2cause.spans.prompting.forms import FORMS, AnswerForm
from corr2cause.spans.prompting.strategies import TABLE, Strategy
from corr2cause.spans.rows import Row


@dataclass(frozen=True, slots=True)
class PromptKind:
    """One kind of prompt.

    Attributes:
        task: `extraction` or `detection`.
        strategy: one of `names.STRATEGIES`.
        profile: `described` or `released`.
    """

    task: str
    strategy: str
    profile: str = DESCRIBED

    def __str__(self) -> str:
        return f"{self.task}, {self.strategy}, {self.profile}"

    @property
    def form(self) -> AnswerForm:
        """How it is answered."""
        return FORMS[self.task, self.profile]

    @property
    def _strategy(self) -> Strategy:
        return TABLE[self.task, self.profile][self.strategy]

    def text(self, sentence: str) -> str:
        """Return the prompt that asks about a text. It ends where the answer begins, on a new line."""
        strategy = self._strategy
        shown = [self._shown(example) for example in strategy.examples]
        examples = ["Examples" if len(shown) > 1 else "Example", *shown, "Task"] if shown else []
        asked = f"{wording.TEXT} {sentence}\n{strategy.cue}"
        parts = [*strategy.blocks, strategy.instructions, self.form.request, *examples, asked]
        return "\n\n".join(filter(None, parts))

    def prompt(self, row: Row) -> Prompt:
        """Return the prompt about a row: one message of a user, as the paper sends raw text."""
        return Prompt(row.id, (Message("user", self.text(row.sentence)),))

    def target(self, row: Row) -> str:
        """Return the true answer about a row, as it should follow the prompt.

        Where the prompt asks for reasoning first there is none to learn from, and only the final output follows.
        """
        answer = self.form.write(row)
        return f"{wording.FINAL}\n{answer}" if self._strategy.cue == wording.REASONING else answer

    def reads_back(self, row: Row) -> bool:
        """Whether the target of a row is read as it was meant: a brace inside a span may end a tuple early."""
        return self.form.read(self.target(row)).content == self.form.meant(row)

    def _shown(self, example: Example) -> str:
        answer = self.form.write(example.row)
        text = f"{wording.TEXT} {example.row.sentence}"
        if not example.reasoning:
            return f"{text}\n{wording.OUTPUT}\n{answer}"
        return f"{text}\n{wording.REASONING}\n{example.reasoning}\n{wording.FINAL}\n{answer}"


def make_prompts(rows: Sequence[Row], kind: PromptKind) -> Iterator[Prompt]:
    """Make the prompt of every row, in their order."""
    return map(kind.prompt, rows)
