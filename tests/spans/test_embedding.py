"""Vectors of spans: hashed letters, a model behind its door, and the cache."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.errors import FileError, MissingExtraError
from corr2cause.spans.embedding import HashingEmbedder, NeuralEmbedder, Remembering, embedder_of

PLACES = {18: 1, 65: 1, 117: 1, 160: 1, 187: 1, 391: 1}
"""Of the six trigrams of " cancer ", computed once: the bits must never change."""


def trigrams(text: str) -> Counter[bytes]:
    letters = f" {text.lower()} ".encode()
    return Counter(letters[k : k + 3] for k in range(len(letters) - 2))


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=15), min_size=1, max_size=4))
def test_hashing_counts_every_trigram_once(texts: list[str]) -> None:
    vectors = HashingEmbedder().embed(texts)
    assert vectors.shape == (len(texts), 512)
    for text, vector in zip(texts, vectors, strict=True):
        counted = trigrams(text)
        assert vector.sum() == counted.total()
        assert np.count_nonzero(vector) <= len(counted)
        assert np.array_equal(vector, HashingEmbedder().embed([text])[0])


def test_hashing_gives_the_same_bits_everywhere() -> None:
    (vector,) = HashingEmbedder().embed(["Cancer"])
    assert {int(place): int(vector[place]) for place in np.flatnonzero(vector)} == PLACES


def test_like_spellings_are_near() -> None:
    def cosine(one: str, other: str) -> float:
        a, b = HashingEmbedder().embed([one, other])
        return float(a @ b / np.sqrt((a @ a) * (b @ b)))

    assert cosine("high insulin level", "higher insulin levels") > 0.75 > cosine("high insulin level", "stroke")
    assert HashingEmbedder().embed([""]).sum() == 0


class Counting:
    """An embedder that remembers what it was asked."""

    name = "group/model"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


def test_the_cache_asks_once_for_each_text_also_in_another_process(tmp_path: Path) -> None:
    model = Counting()
    first = Remembering(model, tmp_path)
    assert first.embed(["ab", "c", "ab", "\ud800"]).tolist() == [[2, 1], [1, 1], [2, 1], [1, 1]]
    first.save()
    second = Remembering(model, tmp_path)
    assert second.embed(["c", "def"]).tolist() == [[1, 1], [3, 1]]
    assert model.asked == ["ab", "c", "\ud800", "def"]
    second.save()
    assert [path.name for path in tmp_path.iterdir()] == ["group--model.npz"]


def test_models_of_one_name_in_several_folders_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, caches = Counting(), tmp_path / "caches"
    model.name = "./model"
    for name in ("one", "other"):
        (tmp_path / name / "model").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / name)
        for _ in range(2):
            cache = Remembering(model, caches)
            cache.embed(["ab"])
            cache.save()
    assert model.asked == ["ab", "ab"]
    assert {path.name.partition("-")[0] for path in caches.iterdir()} == {"model"}


def test_a_damaged_cache_is_told(tmp_path: Path) -> None:
    (tmp_path / "group--model.npz").write_bytes(b"PK\x03\x04 not all of it")
    with pytest.raises(FileError, match="remove the file"):
        Remembering(Counting(), tmp_path)


def test_a_model_is_loaded_when_first_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Model:
        max_seq_length = 512

        def __init__(self, name: str) -> None:
            self.name = name

        def encode(self, texts: list[str], convert_to_numpy: bool, normalize_embeddings: bool) -> Any:
            assert convert_to_numpy
            assert normalize_embeddings
            assert self.max_seq_length == 128
            return [[1.0, 0.0] for _ in texts]

    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Model))
    embedder = embedder_of("some/model", tmp_path)
    assert embedder.embed(["a", "b"]).tolist() == [[1, 0], [1, 0]]
    assert embedder.name == "some/model"


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"corr2cause\[embed\]"):
        NeuralEmbedder("some/model").embed(["a"])
