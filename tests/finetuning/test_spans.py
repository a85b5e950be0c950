"""Training on span corpora with tiny models: what is learned, what is refused, and who reads the answers.

Needs torch, transformers and peft (extra `lora`); nothing is downloaded and no GPU is needed.
"""

from __future__ import annotations

import json
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from corr2cause.errors import OptionError
from corr2cause.finetuning.settings import read_settings
from corr2cause.finetuning.spans.samples import IGNORED, make_samples, padded, prompt_tokens
from corr2cause.finetuning.spans.settings import LoraSettings
from corr2cause.spans.formats.writing import converted, write_corpus
from corr2cause.spans.prompting.prompts import PromptKind
from corr2cause.spans.rows import Pair, Row
from tests.cli.running import call
from tests.finetuning.test_settings import as_toml
from tests.finetuning.test_training import finish, start
from tests.finetuning.tiny_models import make_tiny_llama
from tests.spans.corpus import ROWS
from tests.spans.test_transfer import talk

pytestmark = pytest.mark.consumers
pytest.importorskip("peft", reason="the extra `lora` is not installed")

SCRIPTS = Path(__file__).parents[2] / "scripts"
KIND = PromptKind("extraction", "zero-shot")
LORA = replace(
    read_settings(SCRIPTS / "spans_lora/paper.toml", LoraSettings),
    quantisation="none", learning_rate=1e-2, epochs=2, batch_size=2, accumulation=1, warmup=0.1,
)  # fmt: skip
ENCODER = {
    "learning_rate": 2e-3, "schedule": "linear", "warmup": 0.1, "batch_size": 8, "weight_decay": 0.01, "epochs": 5,
    "patience": 2, "max_length": 16, "optimizer": "adamw_torch", "seed": 42,
}  # fmt: skip


def config(path: Path, values: dict[str, object]) -> Path:
    path.write_text("".join(f"{name} = {as_toml(value)}\n" for name, value in values.items()))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Rows to detect and to extract, and a model for each."""
    from corr2cause.finetuning.small_model import make_small_model

    place = tmp_path_factory.mktemp("spans")
    rows = talk("causes", 240)
    write_corpus(place / "detection.json", converted(rows, "detection").rows, "detection")
    write_corpus(place / "extraction.json", converted(ROWS, "extraction").rows, "extraction")
    write_corpus(place / "all.jsonl", converted(ROWS, "release").rows, "release")
    make_small_model(place / "encoder", [row.sentence for row in rows])
    make_tiny_llama(place / "llama", [KIND.text(row.sentence) for row in ROWS])
    assert call(
        "spans", "transfer", f"a={place / 'detection.json'}", "--source", f"b={place / 'detection.json'}",
        "--parts", place / "parts", "--quiet",
    ).returncode == 0  # fmt: skip
    return place


def encoder_words(folder: Path, out: str, **changes: object) -> tuple[object, ...]:
    parts = folder / "parts"
    return (
        "spans_finetune.py", folder / "encoder", "--config", config(folder / f"{out}.toml", ENCODER | changes),
        "--train", parts / "a_train.json", "--validation", parts / "a_validation.json",
        "--test", parts / "a_test.json", "--out", folder / out,
    )  # fmt: skip


def test_an_encoder_learns_and_its_answers_are_scored(folder):
    """The marker decides; a BERT of two layers finds that out, on the parts that `spans transfer` writes."""
    stdout, said = finish(start(*encoder_words(folder, "run")))
    assert stdout == f"{folder / 'run'}\n"
    record = json.loads((folder / "run/run.json").read_text())
    f1 = [epoch["f1"] for epoch in record["epochs"]]
    assert record["best_epoch"] == 1 + f1.index(max(f1))
    assert record["parts"]["train"] == {"rows": 95, "truncated": 0}
    assert "train: 0 of 95 rows are longer than 16 tokens; their ends are cut." in said
    run_file = folder / "run/predictions/a_test.json"
    done = call(
        "spans", "score", "detection", "--gold", folder / "parts/a_test.json", "--predictions", run_file, "--json"
    )
    assert json.loads(done.stdout)["f1"] > 0.9
    done = call("spans", "runs", run_file.parent, "--gold", folder / "parts/a_test.json")
    assert "encoder" in done.stdout


def test_without_validation_the_last_epoch_is_kept(folder):
    words = encoder_words(folder, "last", epochs=2)
    place = words.index("--validation")
    finish(start(*words[:place], *words[place + 2 :]))
    record = json.loads((folder / "last/run.json").read_text())
    assert [set(epoch) for epoch in record["epochs"]] == [{"epoch", "train_loss"}] * 2
    assert "best_epoch" not in record
    assert list(record["data"]) == ["train"]


def lora_words(folder: Path, out: str, settings: LoraSettings = LORA, *more: object) -> tuple[object, ...]:
    values = {name: getattr(settings, name) for name in LoraSettings.__slots__}
    return (
        "spans_lora.py", folder / "llama", "--config", config(folder / f"{out}.toml", values),
        "--task", "extraction", "--strategy", "zero-shot", "--train", folder / "extraction.json", "--out", folder / out,
        *more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def adapter(folder) -> tuple[Path, str]:
    """An adapter that was trained and asked: its folder, and what was said."""
    _, said = finish(start(*lora_words(folder, "adapter", LORA, "--test", folder / "all.jsonl")))
    return folder / "adapter", said


def test_the_card_of_an_adapter_is_ours(folder, adapter):
    card = (adapter[0] / "model/README.md").read_text()
    fields = yaml.safe_load(card.split("---\n")[1])
    assert (fields["base_model"], fields["library_name"]) == ("llama", "peft")
    record = json.loads((adapter[0] / "run.json").read_text())
    assert f"| data train | {record['data']['train']} |" in card
    assert "| prompts strategy | zero-shot |" in card
    assert str(folder) not in card


def test_only_the_adapter_beside_queries_and_values_is_trained(adapter):
    """Two layers, two targets, two matrices of 8 x 32 each."""
    record = json.loads((adapter[0] / "run.json").read_text())
    assert record["trainable_weights"] == 2 * 2 * 2 * 8 * 32
    assert (record["rows"], record["left_out"]) == (3, 0)
    losses = [epoch["train_loss"] for epoch in record["epochs"]]
    assert losses[-1] < losses[0]
    saved = json.loads((adapter[0] / "model/adapter_config.json").read_text())
    assert (saved["r"], saved["lora_alpha"], saved["lora_dropout"], saved["bias"]) == (8, 16, 0.05, "none")
    assert sorted(saved["target_modules"]) == ["q_proj", "v_proj"]
    assert "2,048 of " in adapter[1]


def test_predictions_reads_its_answers(adapter, folder):
    """A model of random weights says nothing that can be read, and that is counted."""
    answers = adapter[0] / "predictions/all.answers.jsonl"
    options = ("--task", "extraction", "--strategy", "zero-shot", "--timestamp", "20260308_184255", "--json")
    done = call("spans", "predictions", answers, "--data", folder / "all.jsonl", *options, "--out", folder / "r.json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["rows"], sum(found["statuses"].values()), found["answers_to_other_rows"]) == (4, 4, 0)
    assert json.loads((folder / "r.json").read_text())["model"] == "llama-FT"


def test_answers_are_greedy_continuations_of_the_prompts(adapter, folder):
    """Continue one prompt, token by token, with nothing of ours: the same text."""
    import peft
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder / "llama")
    base = AutoModelForCausalLM.from_pretrained(folder / "llama")
    model = peft.PeftModel.from_pretrained(base, adapter[0] / "model").eval()
    said = {}
    for line in (adapter[0] / "predictions/all.answers.jsonl").read_text().splitlines():
        said |= {json.loads(line)["id"]: json.loads(line)}
    ids = tokenizer(KIND.text(ROWS[3].sentence))["input_ids"]
    n_prompt = len(ids)
    with torch.no_grad():
        while len(ids) < n_prompt + 40 and ids[-1] != tokenizer.eos_token_id:
            ids.append(int(model(torch.tensor([ids])).logits[0, -1].argmax()))
    continued = tokenizer.decode(ids[n_prompt:], skip_special_tokens=True)
    assert said["4"]["response"].startswith(continued[:30])
    assert said["4"]["prompt_sha256"] == KIND.prompt(ROWS[3]).sha256


def test_a_sample_that_would_be_cut_is_refused_before_anything_is_trained(folder):
    """Flaw 14."""
    _, said = finish(start(*lora_words(folder, "cut", replace(LORA, max_length=300))), code=2)
    assert said.startswith("Error: max_length: 3 of 3 rows need more than 300 tokens; row ")
    assert "nothing is cut" in said
    assert said.count("\n") == 1
    assert not (folder / "cut/model").exists()


def test_what_the_machine_or_the_model_has_not_is_told(folder):
    _, said = finish(start(*lora_words(folder, "bits", replace(LORA, quantisation="8bit"))), code=2)
    assert said == 'Error: quantisation: "8bit" needs a GPU and the library bitsandbytes; choose "none"\n'
    _, said = finish(start(*lora_words(folder, "target", replace(LORA, targets="c_attn"))), code=2)
    assert "has no layers called c_attn; it has " in said
    assert "q_proj" in said


def test_answers_are_not_asked_twice(adapter, folder):
    """Take the last two away: only they are answered again."""
    path = adapter[0] / "predictions/all.answers.jsonl"
    before = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(before[:2]))
    finish(start(*lora_words(folder, "adapter", LORA, "--test", folder / "all.jsonl")))
    after = path.read_bytes().splitlines(keepends=True)
    assert after[:2] == before[:2]
    assert [json.loads(line)["id"] for line in after] == [row.id for row in ROWS]


def test_a_killed_run_goes_on(folder, adapter):
    words = lora_words(folder, "killed", replace(LORA, epochs=2), "--test", folder / "all.jsonl")
    process = start(*words)
    while process.poll() is None and not list((folder / "killed").glob("checkpoints/*/trainer_state.json")):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL, "it was over before it could be killed"
    finish(start(*words))
    found = [json.loads((place / "run.json").read_text()) for place in (folder / "killed", adapter[0])]
    assert found[0] == found[1]
    name = "predictions/all.answers.jsonl"
    assert (folder / "killed" / name).read_bytes() == (adapter[0] / name).read_bytes()


@pytest.fixture(scope="module")
def tokenizer(folder):
    from transformers import AutoTokenizer

    loaded = AutoTokenizer.from_pretrained(folder / "llama")
    loaded.pad_token = loaded.eos_token
    return loaded


@pytest.mark.parametrize("strategy", ["zero-shot", "cot-fewshot"])
@pytest.mark.parametrize("task", ["extraction", "detection"])
def test_only_the_answer_is_learned_and_it_is_what_the_parser_reads(tokenizer, task, strategy):
    kind = PromptKind(task, strategy)
    samples = make_samples(ROWS, kind, tokenizer, 4000, lambda _: None)
    batch = padded(samples, tokenizer.pad_token_id)
    for row, sample, ids, mask, labels in zip(ROWS, samples, *batch.values(), strict=True):
        assert int(mask.sum()) == len(sample)
        assert sample.prompt == prompt_tokens(row, kind, tokenizer)
        learned = [int(one) for one in labels if one != IGNORED]
        assert learned == [int(one) for one in ids[len(sample.prompt) : len(sample)]]
        assert learned[-1] == tokenizer.eos_token_id
        answer = tokenizer.decode(learned, skip_special_tokens=True)
        assert kind.form.read(answer).content == kind.form.meant(row)
        whole = tokenizer.decode(ids[: len(sample)].tolist(), skip_special_tokens=True)
        assert whole == f"{kind.text(row.sentence)}\n{kind.target(row)}"


def test_the_guard_is_exact(tokenizer):
    longest = max(map(len, make_samples(ROWS, KIND, tokenizer, 4000, lambda _: None)))
    assert len(make_samples(ROWS, KIND, tokenizer, longest, lambda _: None)) == 4
    with pytest.raises(OptionError, match=rf"1 of 4 rows need more than {longest - 1:,} tokens"):
        make_samples(ROWS, KIND, tokenizer, longest - 1, lambda _: None)


def test_rows_whose_answer_would_be_misread_are_left_out_and_told(tokenizer):
    broken = Row("5", "x", (Pair("set {a} of genes", "illness", "Explicit", "Intra"),))
    said: list[str] = []
    assert len(make_samples([*ROWS, broken], KIND, tokenizer, 4000, said.append)) == 4
    assert said == ["1 of 5 rows are left out: their answers would not be read as meant."]


def test_a_tokenizer_counts_prompts_exactly(folder, tokenizer):
    words = ("spans", "prompts", folder / "all.jsonl", "--task", "detection", "--strategy", "react")
    lengths = [len(tokenizer(PromptKind("detection", "react").text(row.sentence))["input_ids"]) for row in ROWS]
    out = folder / "p.jsonl"
    done = call(*words, "--tokenizer", folder / "llama", "--max-tokens", max(lengths), "--out", out)
    assert done.returncode == 0, done.stderr
    assert f"has {max(lengths):,} tokens" in done.stderr
    done = call(*words, "--tokenizer", folder / "llama", "--max-tokens", max(lengths) - 1, "--out", out)
    assert (done.returncode, "1 of 4 prompts are longer" in done.stderr) == (2, True)
    done = call(*words, "--tokenizer", folder / "absent", "--out", out)
    assert (done.returncode, "transformers cannot load this" in done.stderr) == (1, True)
