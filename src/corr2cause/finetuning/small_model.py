"""A small BERT with random weights and a tokenizer made from the data: to try everything out without a download."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from corr2cause.checking.tokens import tokenise
from corr2cause.errors import FileError
from corr2cause.files import plain_errors
from corr2cause.finetuning.libraries import require_libraries

_PAD, _UNKNOWN, _START, _END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"


def make_small_model(folder: str | Path, texts: Iterable[str], length: int = 512, seed: int = 0) -> int:
    """Write a model of two layers, four heads and 64 dimensions, which transformers loads from its folder.

    Args:
        folder: an empty or a new one.
        texts: the words of the tokenizer are the tokens of these, as `checking.tokens` cuts them.
        length: tokens that it reads at most.
        seed: of the weights.

    Returns:
        Number of its weights.

    Raises:
        MissingExtraError: transformers is not installed.
        FileError: the folder is not empty or cannot be written.
    """
    require_libraries()
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast, set_seed

    with plain_errors(folder):
        Path(folder).mkdir(parents=True, exist_ok=True)
        if any(Path(folder).iterdir()):
            raise FileError(str(folder), "this folder is not empty; choose another one")
    words = sorted({token for text in texts for token in tokenise(text)})
    place = {word: k for k, word in enumerate((_PAD, _UNKNOWN, _START, _END, *words))}
    set_seed(seed)
    config = BertConfig(
        vocab_size=len(place),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=length,
        num_labels=2,
    )
    model = BertForSequenceClassification(config)
    model.save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=_tokenizer(place),
        pad_token=_PAD,
        unk_token=_UNKNOWN,
        cls_token=_START,
        sep_token=_END,
        model_max_length=length,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    ).save_pretrained(folder)
    return int(model.num_parameters())


def _tokenizer(place: dict[str, int]) -> object:
    from tokenizers import Regex, Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Sequence, Split, WhitespaceSplit
    from tokenizers.processors import TemplateProcessing

    tokenizer = Tokenizer(WordLevel(place, unk_token=_UNKNOWN))
    tokenizer.pre_tokenizer = Sequence([WhitespaceSplit(), Split(Regex(r"\w+|[^\w\s]"), "isolated")])
    tokenizer.post_processor = TemplateProcessing(
        single=f"{_START} $A {_END}",
        pair=f"{_START} $A {_END} $B:1 {_END}:1",
        special_tokens=[(_START, place[_START]), (_END, place[_END])],
    )
    return tokenizer
