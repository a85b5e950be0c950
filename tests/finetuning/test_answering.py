"""A model on this machine answers prompts: greedily, into the file that a server's answers would go into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corr2cause.asking.prompts import Message, Prompt
from corr2cause.asking.session import Job
from corr2cause.asking.settings import Sampling
from tests.cli.running import call
from tests.finetuning.tiny_models import make_tiny_llama

pytestmark = pytest.mark.consumers
transformers = pytest.importorskip("transformers", reason="the extra `finetune` is not installed")

TEXTS = [f"Does A{'B' * k} cause C? Say yes or no." for k in range(6)]
PROMPTS = tuple(Prompt(str(k), (Message("user", text),)) for k, text in enumerate(TEXTS))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("local")
    make_tiny_llama(place / "llama", TEXTS)
    (place / "p.jsonl").write_text("".join(f"{json.dumps(prompt.to_json())}\n" for prompt in PROMPTS))
    return place


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def greedy(folder: Path, text: str, **options: object) -> str:
    """One prompt at a time, without padding, by transformers alone."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    asked = tokenizer(text, return_tensors="pt")
    found = model.generate(**asked, do_sample=False, max_new_tokens=12, pad_token_id=1, **options)
    return tokenizer.decode(found[0, asked["input_ids"].shape[1] :], skip_special_tokens=True)


def test_answers_are_greedy_and_what_is_there_is_not_asked_again(folder, tmp_path):
    out, words = tmp_path / "a.jsonl", ("--model", folder / "llama", "--local", "--max-tokens", 12)
    done = call("ask", folder / "p.jsonl", *words, "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["answered_now"] == len(PROMPTS)
    found = lines(out)
    assert [line["id"] for line in found] == [prompt.id for prompt in PROMPTS]
    assert [line["response"] for line in found] == [greedy(folder / "llama", text) for text in TEXTS]
    assert all(line["prompt_tokens"] > 5 and 0 < line["completion_tokens"] <= 12 for line in found)
    whole = out.read_text()
    out.write_text("".join(whole.splitlines(keepends=True)[:2]))
    again = json.loads(call("ask", folder / "p.jsonl", *words, "--out", out, "--json").stdout)
    assert (again["answered_now"], out.read_text()) == (4, whole)
    other = call("ask", folder / "p.jsonl", *words[:-1], 13, "--out", out)
    assert (other.returncode, "max_tokens 12 instead of 13" in other.stderr) == (1, True)


def test_a_chat_template_and_further_fields_are_heeded(folder, tmp_path):
    from corr2cause.finetuning.answering import run_locally

    chat = tmp_path / "chat"
    for path in (folder / "llama").iterdir():
        chat.mkdir(exist_ok=True)
        (chat / path.name).write_bytes(path.read_bytes())
    tokenizer = transformers.AutoTokenizer.from_pretrained(chat)
    tokenizer.chat_template = "{% for turn in messages %}[{{ turn.role }}] {{ turn.content }}\n{% endfor %}[assistant]"
    tokenizer.save_pretrained(chat)
    sampling = Sampling(str(chat), 12, extra={"repetition_penalty": 1.5})
    job, done = Job(PROMPTS[:2], sampling, tmp_path / "a.jsonl"), []
    assert run_locally(job, done.append).n_new == 2
    assert done == [0, 1, 1]
    wanted = [greedy(chat, f"[user] {text}\n[assistant]", repetition_penalty=1.5) for text in TEXTS[:2]]
    assert [line["response"] for line in lines(job.path)] == wanted


def test_a_folder_without_a_model_is_told(folder, tmp_path):
    done = call("ask", folder / "p.jsonl", "--model", tmp_path, "--local", "--max-tokens", 3, "--out", tmp_path / "a")
    assert (done.returncode, "transformers cannot load this" in done.stderr) == (1, True)
    assert done.stderr.count("\n") == 1
