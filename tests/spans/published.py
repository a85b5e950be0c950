"""Where the published files lie, if they do: tests that need them are skipped elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

_BESIDE = [parent / "shared" / "data" / "pubmedcausal" for parent in Path(__file__).parents[3:5]]
FOLDER = next((folder for folder in _BESIDE if folder.is_dir()), _BESIDE[0])
TRAIN = FOLDER / "extraction_train.json"
BIOCAUSE = FOLDER / "biocause1.csv"

needs_published = pytest.mark.skipif(
    not TRAIN.exists(), reason="the published files are not beside this repository (../shared/data/pubmedcausal)"
)
