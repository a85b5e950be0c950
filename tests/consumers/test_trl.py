"""TRL trains on the exports, with the reward of this package."""

from __future__ import annotations

import pytest

from corr2cause.rewards import grpo_reward

pytestmark = pytest.mark.consumers

MODEL = """
import json, sys
from datasets import load_dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

def tiny_model(texts):
    words = sorted({word for text in texts for word in text.split()} | {"Yes", "No"})
    known = {word: place for place, word in enumerate(["<pad>", "<eos>", "<unk>", *words])}
    words = Tokenizer(models.WordLevel(known, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    )
    tokenizer.chat_template = "{% for message in messages %}{{ message['content'] }} {% endfor %}"
    shape = {"n_embd": 16, "n_layer": 1, "n_head": 1, "n_positions": 512}
    config = GPT2Config(vocab_size=len(known), bos_token_id=1, eos_token_id=1, pad_token_id=0, **shape)
    return GPT2LMHeadModel(config), tokenizer

once = {"output_dir": sys.argv[2], "max_steps": 1, "report_to": [], "use_cpu": True}
rows = load_dataset(sys.argv[1], split="train").select(range(8))
"""

GRPO = """
from corr2cause.rewards import grpo_reward
from trl import GRPOConfig, GRPOTrainer

calls = []

def reward(completions, **columns):
    calls.append((completions, columns["label"], grpo_reward(completions, **columns), sorted(columns)))
    return calls[-1][2]

model, tokenizer = tiny_model([message["content"] for row in rows for message in row["prompt"]])
few = {"per_device_train_batch_size": 4, "num_generations": 4, "max_completion_length": 4}
trainer = GRPOTrainer(model, reward_funcs=reward, train_dataset=rows, processing_class=tokenizer,
                      args=GRPOConfig(**once, **few))
trainer.train()
print(json.dumps([*calls[0], trainer.state.log_history[0]["reward"]]))
"""

SFT = """
from trl import SFTConfig, SFTTrainer

texts = [row.get("prompt", "") + row.get("completion", "") for row in rows]
texts += [message["content"] for row in rows for message in row.get("messages", [])]
model, tokenizer = tiny_model(texts)
trainer = SFTTrainer(model, train_dataset=rows, processing_class=tokenizer, args=SFTConfig(**once))
print(json.dumps(trainer.train().training_loss))
"""


def test_grpo_calls_the_reward_with_the_columns_of_the_export(exports, offline, tmp_path):
    completions, labels, rewards, columns, logged = offline(
        MODEL + GRPO, exports / "grpo", tmp_path / "out", with_us=True
    )
    assert {"answer", "label", "template", "num_variables", "nli_label", "class_id"} <= set(columns)
    assert len(completions) == len(labels) == len(rewards) == 4
    assert {message["role"] for (message,) in completions} == {"assistant"}
    assert rewards == grpo_reward(completions, labels)
    assert logged == pytest.approx(sum(rewards) / 4)


@pytest.mark.parametrize("target", ["sft", "chat"])
def test_supervised_fine_tuning_takes_the_rows(exports, offline, tmp_path, target):
    assert offline(MODEL + SFT, exports / target, tmp_path / "out") > 0
