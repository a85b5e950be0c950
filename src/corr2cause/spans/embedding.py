"""Spans as vectors, whose cosine says how alike they are: by their letters, or by a neural model."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from corr2cause.errors import FileError, MissingExtraError, OptionError

Vectors = npt.NDArray[np.float32]

PAPER_MODEL = "pritamdeka/BioBERT-mnli-snli-scinli-scitail-mednli-stsb"
"""The model of Deka et al. (2022) that the paper compares spans with; its licence is CC-BY-NC-3.0."""

_LONGEST = 128  # word pieces, as in the released code


class Embedder(Protocol):
    """What turns texts into vectors. Its name stands beside every figure that depends on it."""

    name: str

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one vector for each text: float32[N, D], of any length; zeros are like nothing."""
        ...


class HashingEmbedder:
    """Counts of letter trigrams, hashed into 512 places: needs no library and gives the same bits everywhere.

    It sees spelling, not meaning: "high insulin level" is near "higher insulin levels", far from "hyperinsulinaemia".
    The counts are whole numbers, so that their products are exact in whatever order a machine adds them.
    """

    name = "hashing"
    _PLACES = 512
    _MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Count the trigrams of UTF-8 bytes of each text in lower case, with a space at both ends.

        Returns:
            float32[N, 512]; whole numbers.  O(bytes + 512 N).
        """
        padded = [f" {text.lower()} ".encode("utf-8", "surrogatepass") for text in texts]
        letters = np.frombuffer(b"".join(padded), dtype=np.uint8).astype(np.uint64)
        owners = np.repeat(np.arange(len(padded)), [len(one) for one in padded])
        if len(letters) < 3:
            return np.zeros((len(texts), self._PLACES), dtype=np.float32)
        windows = (letters[:-2], letters[1:-1], letters[2:])
        mixed = np.zeros(len(letters) - 2, dtype=np.uint64)
        for window, multiplier in zip(windows, self._MULTIPLIERS, strict=True):
            mixed += (window + np.uint64(1)) * multiplier  # modulo 2^64
        mixed ^= mixed >> np.uint64(29)
        mixed *= self._MULTIPLIERS[0]
        places = (mixed >> np.uint64(55)).astype(np.int64)  # the upper nine bits
        whole = owners[:-2] == owners[2:]
        cells = (owners[:-2] * self._PLACES + places)[whole]
        counted = np.bincount(cells, minlength=len(texts) * self._PLACES)
        return counted.reshape(len(texts), self._PLACES).astype(np.float32)


class NeuralEmbedder:
    """A model of sentence-transformers: masked mean of the last layer, at most 128 word pieces (extra `embed`)."""

    def __init__(self, model: str = PAPER_MODEL) -> None:
        self.name = model
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as they stand; the model is loaded at the first call."""
        if self._model is None:
            self._model = _load(self.name)
        found = self._model.encode(list(texts), convert_to_numpy=True, normalize_embeddings=True)
        return np.asarray(found, dtype=np.float32)


def _load(model: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtraError("sentence-transformers", "embed") from error
    try:
        loaded = SentenceTransformer(model)
    except (OSError, ValueError) as error:
        problem = f"the model {model} cannot be loaded ({error}); name a folder that holds one, or hashing"
        raise OptionError("--embedder", problem) from error
    loaded.max_seq_length = min(_LONGEST, loaded.max_seq_length or _LONGEST)
    return loaded


class Remembering:
    """An embedder that keeps its vectors in a folder, so that no text is embedded twice. Call `save` at the end."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._path = folder / f"{_file_name(embedder.name)}.npz"
        self._known = _read_vectors(self._path)
        self._is_new = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Look texts up, and embed those that were never seen."""
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        if unknown:
            self._known.update(zip(unknown, self._embedder.embed(unknown), strict=True))
            self._is_new = True
        return np.stack([self._known[text] for text in texts]) if texts else self._embedder.embed(texts)

    def save(self) -> None:
        """Write what is known, whole or not at all, if anything is new."""
        if not self._is_new:
            return
        from corr2cause.files import plain_errors, whole_file

        with plain_errors(self._path.parent):
            self._path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(self._path) as out:
            # texts as bytes with their ends: arrays of Python strings would need pickle
            encoded = [text.encode("utf-8", "surrogatepass") for text in self._known]
            np.savez(
                out,
                texts=np.frombuffer(b"".join(encoded), dtype=np.uint8),
                ends=np.cumsum([len(text) for text in encoded]),
                vectors=np.stack(list(self._known.values())),
            )


def _file_name(model: str) -> str:
    """Name the file of a model, apart from those of models in other folders that are called the same."""
    if not os.path.isdir(model):
        return model.strip("/").replace("/", "--")
    place = os.path.realpath(model)
    return f"{os.path.basename(place)}-{hashlib.sha256(os.fsencode(place)).hexdigest()[:16]}"


def _read_vectors(path: Path) -> dict[str, npt.NDArray[np.float32]]:
    if not path.exists():
        return {}
    try:
        with np.load(path, allow_pickle=False) as arrays:
            texts, ends, vectors = arrays["texts"].tobytes(), arrays["ends"].tolist(), arrays["vectors"]
        parts = (texts[start:end] for start, end in zip([0, *ends], ends, strict=False))
        return dict(zip((part.decode("utf-8", "surrogatepass") for part in parts), vectors, strict=True))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise FileError(str(path), f"these are no vectors ({error}); remove the file, it will be made anew") from error


def default_cache() -> Path:
    """Return where vectors are kept unless another folder is named: in the cache of the user."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "corr2cause" / "embeddings"


def embedder_of(name: str, cache: Path | None = None) -> Embedder:
    """Return the embedder of a name: `hashing`, or else a model of sentence-transformers with its cache."""
    if name == HashingEmbedder.name:
        return HashingEmbedder()
    return Remembering(NeuralEmbedder(name), cache or default_cache())
