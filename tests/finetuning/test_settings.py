"""Files of settings: every combination once, and one clear line for what cannot be."""

import itertools
import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest

from corr2cause.errors import FileError
from corr2cause.finetuning.settings import read_grid

CONFIGS = Path(__file__).parents[2] / "scripts" / "finetune"


def small(path: Path, **changes: object) -> Path:
    """Write the small settings with other lines; None leaves one out."""
    found = tomllib.loads((CONFIGS / "small.toml").read_text()) | changes
    path.write_text("".join(f"{name} = {as_toml(value)}\n" for name, value in found.items() if value is not None))
    return path


def as_toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


def test_the_grid_of_the_paper_is_that_of_its_appendix() -> None:
    """Appendix A: batches of 8; five learning rates, four rates of dropout, two of weight decay."""
    grid = read_grid(CONFIGS / "paper.toml")
    points = [(one.settings.learning_rate, one.settings.dropout, one.settings.weight_decay) for one in grid]
    rates = (2e-6, 5e-6, 1e-5, 2e-5, 5e-5), (0, 0.1, 0.2, 0.3), (1e-4, 1e-5)
    assert points == [*itertools.product(*rates)]
    assert {one.settings.batch_size for one in grid} == {8}
    assert len({one.name for one in grid}) == 40
    assert grid[0].name == "learning_rate-2e-06_dropout-0.0_weight_decay-0.0001"


def test_without_a_list_there_is_one_combination() -> None:
    (one,) = read_grid(CONFIGS / "small.toml")
    assert one.name == ""
    assert asdict(one.settings) == tomllib.loads((CONFIGS / "small.toml").read_text())


def test_combinations_differ_only_on_the_axes(tmp_path: Path) -> None:
    grid = read_grid(small(tmp_path / "grid.toml", seed=[3, 1], dropout=[0, 0.5]))
    assert [(one.settings.dropout, one.settings.seed) for one in grid] == [(0, 3), (0, 1), (0.5, 3), (0.5, 1)]
    others = [{k: v for k, v in asdict(one.settings).items() if k not in ("seed", "dropout")} for one in grid]
    assert all(other == others[0] for other in others)
    assert not any(set(one.name) & set("/\\ \"'") for one in grid)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"dropout": None}, "the setting dropout is missing"),
        ({"lr": 1}, "there is no setting lr; choose from: learning_rate, "),
        ({"batch_size": 8.5}, "batch_size: expected int, found 8.5"),
        ({"batch_size": True}, "batch_size: expected int, found True"),
        ({"batch_size": 0}, "batch_size: 0 is less than 1"),
        ({"learning_rate": "1e-5"}, "learning_rate: expected float, found '1e-5'"),
        ({"learning_rate": -1.0}, "learning_rate: -1.0 is less than 0"),
        ({"learning_rate": float("nan")}, "learning_rate: nan is less than 0, or no number"),
        ({"dropout": [0.1, 1.0]}, "dropout: 1.0 would drop everything"),
        ({"seed": []}, "seed: the list is empty"),
        ({"seed": [1, 1]}, "seed: the list is empty or names a value twice"),
        ({"seed": [[1]]}, r"seed: expected int, found \[1\]"),
        ({"class_weights": "some"}, "class_weights: expected one of none, balanced, found 'some'"),
    ],
)
def test_what_cannot_be_is_told(tmp_path: Path, changes: dict[str, object], expected: str) -> None:
    with pytest.raises(FileError, match=expected):
        read_grid(small(tmp_path / "bad.toml", **changes))


@pytest.mark.parametrize("content", [b"learning_rate = ", b"\xff"])
def test_what_is_no_toml_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.toml").write_bytes(content)
    with pytest.raises(FileError, match=r"bad\.toml: this is not TOML"):
        read_grid(tmp_path / "bad.toml")
    with pytest.raises(FileError, match="no such file"):
        read_grid(tmp_path / "absent.toml")
