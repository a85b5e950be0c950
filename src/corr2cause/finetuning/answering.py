"""Let a model on this machine answer prompts, as a server would: greedily, and into the same file of answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from corr2cause.asking.answer_file import appended
from corr2cause.asking.prompts import Prompt
from corr2cause.asking.replies import Reply
from corr2cause.asking.session import Job, Progress, Report, standing
from corr2cause.finetuning.libraries import load, load_tokenizer, require_libraries
from corr2cause.locks import file_lock

_AT_ONCE = 4

Tokens = tuple[int, ...]


def run_locally(job: Job, progress: Progress) -> Report:
    """Answer all prompts that have no answer yet; an answer is in the file as soon as its batch is done.

    A prompt goes through the chat template of the model, or, if it has none, is the text of its turns.

    Args:
        job: what to ask. Its model is a folder, or a name that transformers can load; its longest answer must be said;
            its further fields are arguments of the generation, such as `repetition_penalty`.
        progress: called with the number of prompts just answered, first with those that were before.

    Raises:
        MissingExtraError: torch or transformers is not installed.
        FileError: the model cannot be loaded, the file cannot be read or written, or another process is writing it.
        RowError: the file holds something else than answers to these prompts, asked in this way.
    """
    require_libraries()
    with file_lock(job.path):
        before = standing(job)
        progress(before.n_answered)
        if before.waiting:
            replies = _answers(job, before.waiting)
            with appended(job.path, job.sampling) as file:
                for prompt, reply in zip(before.waiting, replies, strict=True):
                    file.append(prompt, reply)
                    before.tally.add(reply)
                    progress(1)
    return Report(before.n_answered, len(before.waiting), before.tally, ())


def _answers(job: Job, prompts: Sequence[Prompt]) -> Iterator[Reply]:
    from transformers import AutoModelForCausalLM

    sampling = job.sampling
    tokenizer, model = load_tokenizer(sampling.model), load(AutoModelForCausalLM, sampling.model)
    tokens = [_tokens(prompt, tokenizer) for prompt in prompts]
    return continuations(model, tokenizer, tokens, {"max_new_tokens": sampling.max_tokens, **sampling.extra})


def _tokens(prompt: Prompt, tokenizer: Any) -> Tokens:
    turns = prompt.to_json()["messages"]
    if tokenizer.chat_template is None:
        text = "\n\n".join(turn["content"] for turn in turns)
    else:
        text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    return uncut(tokenizer(text, add_special_tokens=tokenizer.chat_template is None)["input_ids"], tokenizer)


def uncut(ids: Sequence[int], tokenizer: Any) -> Tokens:
    """Return the tokens of a prompt without one that would end the text."""
    return tuple(ids[:-1] if ids and ids[-1] == tokenizer.eos_token_id else ids)


def continuations(model: Any, tokenizer: Any, prompts: Sequence[Tokens], options: Mapping[str, Any]) -> Iterator[Reply]:
    """Yield what a model says after each prompt, greedily, some prompts at a time.

    Args:
        model: that goes on.
        tokenizer: of the model.
        prompts: as tokens.
        options: of the generation.

    Yields:
        Replies, in the order of the prompts; `length` as the reason of the end of one that is as long as it may be.
    """
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    ready = model.to(device).eval()
    for start in range(0, len(prompts), _AT_ONCE):
        batch = prompts[start : start + _AT_ONCE]
        with torch.inference_mode():
            asked = _left_padded(batch, tokenizer.pad_token_id)
            found = ready.generate(
                **{name: values.to(device) for name, values in asked.items()},
                do_sample=False,
                pad_token_id=tokenizer.pad_token_id,
                **options,
            )
        width = asked["input_ids"].shape[1]
        for prompt, tokens in zip(batch, found[:, width:].tolist(), strict=True):
            ended = tokenizer.eos_token_id in tokens
            length = tokens.index(tokenizer.eos_token_id) + 1 if ended else len(tokens)
            text = tokenizer.decode(tokens[:length], skip_special_tokens=True)
            yield Reply(text, "stop" if ended else "length", None, len(prompt), length)


def _left_padded(prompts: Sequence[Tokens], pad: int) -> dict[str, Any]:
    import torch

    width = max(map(len, prompts))
    ids = [[pad] * (width - len(one)) + [*one] for one in prompts]
    mask = [[0] * (width - len(one)) + [1] * len(one) for one in prompts]
    return {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}
