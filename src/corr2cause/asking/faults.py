"""What can go wrong with one prompt. What goes wrong with all of them is `errors.ServerError`."""

from __future__ import annotations

from dataclasses import dataclass

from corr2cause.errors import Corr2CauseError


@dataclass(eq=False)
class PromptError(Corr2CauseError):
    """A prompt that was not answered, and will not be if it is asked again at once."""

    problem: str

    def __str__(self) -> str:
        return self.problem


@dataclass(eq=False)
class TransientError(PromptError):
    """A prompt that was not answered, and may be if it is asked again.

    Attributes:
        seconds: how long the server asks to wait before; 0 if it does not say.
    """

    seconds: float = 0.0


@dataclass(eq=False)
class UnreachableError(TransientError):
    """No connection, or one that broke: this says nothing about the prompt."""
