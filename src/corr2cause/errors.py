"""Errors that a user can act on: each carries its data and reads as one sentence.

Everything the package raises on purpose derives from `Corr2CauseError`; the command line turns it into one line and
exit code 1. Anything else that escapes is a bug of ours.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

_LONGEST_QUOTE = 300


def quoted(value: object) -> str:
    """Show a value that came from outside as Python writes it; of a long one only the beginning.

    >>> quoted("A causes B"), len(quoted("x" * 10**6))
    ("'A causes B'", 301)
    """
    try:
        shown = repr(value[: _LONGEST_QUOTE + 1] if isinstance(value, str) else value)
    except ValueError:  # an integer of more digits than Python writes
        return "a number of thousands of digits"
    return shown if len(shown) <= _LONGEST_QUOTE else f"{shown[:_LONGEST_QUOTE]}…"


@dataclass(eq=False)
class Corr2CauseError(Exception):
    """Base of all errors of this package. Its data are the fields, so it survives pickling between processes."""

    def __str__(self) -> str:
        return type(self).__doc__ or type(self).__name__

    def __reduce__(self) -> tuple[type[Corr2CauseError], tuple[object, ...]]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


@dataclass(eq=False)
class SizeError(Corr2CauseError):
    """A number of variables that the asked work cannot be done for."""

    n: int
    least: int
    most: int

    def __str__(self) -> str:
        return f"{self.n} variables: this works for {self.least} to {self.most}; choose a number in that range"


@dataclass(eq=False)
class FileError(Corr2CauseError):
    """A file or folder that could not be read or written."""

    path: str
    problem: str

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


@dataclass(eq=False)
class RowError(Corr2CauseError):
    """A row of a file that does not say what it should."""

    path: str
    row: int
    problem: str

    def __str__(self) -> str:
        return f"{self.path}:{self.row}: {self.problem}"


@dataclass(eq=False)
class ParseError(Corr2CauseError):
    """A sentence that no template fits."""

    sentence: str
    problem: str

    def __str__(self) -> str:
        return f"{self.problem}: {quoted(self.sentence)}"


@dataclass(eq=False)
class NamingError(Corr2CauseError):
    """Variable names that cannot be used."""

    problem: str

    def __str__(self) -> str:
        return self.problem


@dataclass(eq=False)
class OptionError(Corr2CauseError):
    """An option whose value makes no sense, alone or beside another."""

    option: str
    problem: str

    def __str__(self) -> str:
        return f"{self.option}: {self.problem}"


@dataclass(eq=False)
class ServerError(Corr2CauseError):
    """A server that will answer no question, however often it is asked."""

    problem: str

    def __str__(self) -> str:
        return self.problem


@dataclass(eq=False)
class WorkerError(Corr2CauseError):
    """A worker process that died before it finished its work."""

    def __str__(self) -> str:
        return (
            "a worker process ended before its work (out of memory, or a script that is not guarded by "
            'if __name__ == "__main__"?); run again, with one worker if it happens again'
        )


@dataclass(eq=False)
class MissingExtraError(Corr2CauseError):
    """A library that an optional part of the package needs and that is not installed."""

    library: str
    extra: str

    def __str__(self) -> str:
        return f'{self.library} is not installed; get it with: pip install "corr2cause[{self.extra}]"'


@dataclass(eq=False)
class ClassSizeError(Corr2CauseError):
    """A class with more members than can be looked at one by one."""

    members: int
    most: int

    def __str__(self) -> str:
        return f"the class has {self.members:,} graphs, too many to look at each; at most {self.most:,} can be"


@dataclass(eq=False)
class SamplingError(Corr2CauseError):
    """A sample that cannot be had: draw after draw gives nothing new that fits."""

    wanted: int
    found: int
    draws: int
    in_vain: int

    def __str__(self) -> str:
        return (
            f"{self.draws:,} draws gave {self.found:,} of {self.wanted:,} classes, the last {self.in_vain:,} of them "
            "none; ask for fewer --classes, or widen --edges, --density, --class-size, --statements, --max-class-size"
        )
