"""Whether prompts fit: a prompt that is cut has lost an example, the text or the place for the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corr2cause.errors import FileError, MissingExtraError, OptionError
from corr2cause.spans.prompting.prompts import PromptKind
from corr2cause.spans.rows import Row

_BYTES_PER_TOKEN = 3


def estimated_tokens(text: str) -> int:
    """Estimate tokens without any model's tokeniser, on the high side: a third of the ASCII bytes, and all others.

    English has four to six bytes to a token, and tokenizers that fall back to bytes need at most one for each; so
    what fits by this estimate fits. `Prompt.n_tokens` estimates what is likely, to foresee costs.

    >>> estimated_tokens("Smoking causes cancer."), estimated_tokens("β")
    (8, 2)
    """
    n_ascii = len(text.encode("ascii", "ignore"))
    return -(-n_ascii // _BYTES_PER_TOKEN) + len(text.encode()) - n_ascii


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """What counts tokens.

    Attributes:
        name: shown beside every figure.
        count: tokens of a text.
    """

    name: str
    count: Callable[[str], int]


ESTIMATE = TokenCounter("estimated", estimated_tokens)


def tokenizer_counter(model: str) -> TokenCounter:
    """Count with the tokenizer of a model, its special tokens included.

    Args:
        model: a folder, or a name that transformers can load.

    Raises:
        MissingExtraError: transformers is not installed.
        FileError: it cannot be loaded.
    """
    try:
        from transformers import AutoTokenizer, logging
    except ImportError as error:
        raise MissingExtraError("transformers", "finetune") from error
    logging.set_verbosity_error()  # of texts that are longer than the model takes: that is what we look for
    try:
        tokenizer = AutoTokenizer.from_pretrained(model)
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise FileError(model, f"transformers cannot load this ({reason})") from error
    return TokenCounter(f"counted by {model}", lambda text: len(tokenizer(text)["input_ids"]))


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long prompts are.

    Attributes:
        longest: tokens of the longest.
        row: the id of its row.
        frame: tokens of a prompt without a text.
        counter: what counted.
    """

    longest: int
    row: str
    frame: int
    counter: TokenCounter


def check_lengths(
    rows: Sequence[Row],
    kind: PromptKind,
    counter: TokenCounter,
    max_tokens: int | None,
    progress: Callable[[int], object] = int,
) -> Lengths:
    """Measure the prompts of some rows.

    Args:
        rows: at least one.
        kind: of the prompts.
        counter: of tokens.
        max_tokens: how many a model takes; None for any number.
        progress: called with 1 after each row.

    Raises:
        OptionError: a prompt would be cut.
    """
    n_long, longest, longest_row = 0, 0, rows[0].id
    for row in rows:
        tokens = counter.count(kind.text(row.sentence))
        n_long += max_tokens is not None and tokens > max_tokens
        if tokens > longest:
            longest, longest_row = tokens, row.id
        progress(1)
    lengths = Lengths(longest, longest_row, counter.count(kind.text("")), counter)
    if n_long:
        raise OptionError("--max-tokens", _too_long(lengths, kind, max_tokens or 0, n_long, len(rows)))
    return lengths


def _too_long(lengths: Lengths, kind: PromptKind, max_tokens: int, n_long: int, n_rows: int) -> str:
    if lengths.frame > max_tokens:
        what = f"a prompt ({kind}) has {lengths.frame:,} tokens before any text is put in"
    else:
        what = f"{n_long:,} of {n_rows:,} prompts are longer, that of row {lengths.row} has {lengths.longest:,} tokens"
    advice = "allow more, choose a shorter strategy, or leave long rows out"
    if lengths.counter is ESTIMATE:
        advice += "; --tokenizer counts exactly, where this only estimates"
    return f"{max_tokens:,} are allowed ({lengths.counter.name}), and {what}; nothing is cut: {advice}"
