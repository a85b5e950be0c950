"""The card of a trained model, without training one."""

from __future__ import annotations

import pytest
import yaml

from corr2cause.finetuning.model_card import ENTAILMENT, write_model_card

RECORD = {
    "model": "someone/some-model",
    "data": "abc",
    "settings": {"learning_rate": 2e-5, "note": "a|b\nc", "deeper": {"rank": 8}},
    "epochs": [{"epoch": 1, "train_loss": 0.71234, "f1": 0.5}, {"epoch": 2, "train_loss": 0.3, "f1": 0.625}],
    "dev": {"f1": 0.625},
    "best_epoch": 2,
}


def test_a_card_holds_the_record(tmp_path):
    (tmp_path / "model").mkdir()
    write_model_card(tmp_path, ENTAILMENT, RECORD)
    _, head, body = (tmp_path / "model/README.md").read_text().split("---\n", 2)
    fields = yaml.safe_load(head)
    assert fields["base_model"] == "someone/some-model"
    assert fields["license"] == "other"
    for line in (
        "| base model | someone/some-model |",
        "| data | abc |",
        "| best epoch | 2 |",
        "| f1 on held-out rows | 0.625 |",
        "| learning rate | 2e-05 |",
        "| note | a\\|b c |",
        "| deeper rank | 8 |",
        "| epoch | train loss | f1 |",
        "| 1 | 0.7123 | 0.5 |",
    ):
        assert line in body.splitlines()


@pytest.mark.parametrize("path", ["{}", "{}/", ".", "../base"])
def test_a_model_of_a_folder_is_named_without_its_path(tmp_path, monkeypatch, path):
    for name in ("base", "model"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "base")
    write_model_card(tmp_path, ENTAILMENT, RECORD | {"model": path.format(tmp_path / "base")})
    card = (tmp_path / "model/README.md").read_text()
    assert "base_model: base\n" in card
    assert str(tmp_path) not in card
