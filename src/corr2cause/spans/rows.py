"""What a span corpus holds: rows of text, each with the pairs of cause and effect that it states."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """One stated relation, its spans and labels just as somebody wrote them; readers repair nothing.

    Attributes:
        cause: the span that causes.
        effect: the span that is caused.
        causality: how it is said, `Explicit` or `Implicit` where the label is sound; empty if there is none.
        sententiality: `Intra` or `Inter` where the label is sound; empty if there is none.
    """

    cause: str
    effect: str
    causality: str = ""
    sententiality: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether both spans say something."""
        return bool(self.cause.strip() and self.effect.strip())


@dataclass(frozen=True, slots=True)
class Row:
    """One text of a corpus.

    Attributes:
        id: the `s/n` of the files, as text: "1" and 1 are the same row.
        sentence: one sentence or some successive ones.
        pairs: in the order of the file; none if the text states no cause.
        label: whether the text states a cause, where the file says so itself; None if it leaves that to the pairs. A
            row with neither label nor pairs was annotated by nobody.
        source: what the text was taken from, such as the PubMed id of an abstract; empty if the file does not say.
    """

    id: str
    sentence: str
    pairs: tuple[Pair, ...] = ()
    label: bool | None = None
    source: str = ""

    @property
    def is_annotated(self) -> bool:
        """Whether anybody said what the text states."""
        return self.label is not None or bool(self.pairs)

    @property
    def is_causal(self) -> bool:
        """What the file says; else whether any span is there: half a pair is enough, as in the published data."""
        if self.label is not None:
            return self.label
        return any_span(self.pairs)


def any_span(pairs: tuple[Pair, ...]) -> bool:
    """Whether any cause or effect says something."""
    return any(pair.cause.strip() or pair.effect.strip() for pair in pairs)
