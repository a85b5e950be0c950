"""A causal language model of a few thousand random weights, which transformers loads from its folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def make_tiny_llama(folder: Path, texts: Iterable[str], length: int = 2048) -> Path:
    """Write a Llama of two layers with a byte-level tokenizer of 500 tokens, learned from some texts."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<s>", "</s>"]
    tokenizer.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=500, initial_alphabet=alphabet, special_tokens=special)
    )
    set_seed(0)
    config = LlamaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=length,
        bos_token_id=0,
        eos_token_id=1,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", model_max_length=length
    ).save_pretrained(folder)
    return folder
