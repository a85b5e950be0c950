"""The public interface is small, documented and costs nothing to import."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import corr2cause
from corr2cause.errors import MissingExtraError

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(corr2cause.__path__, "corr2cause.")
    if module.name != "corr2cause.__main__"  # to import it is to run the command line
)


def test_there_are_at_most_fifteen_public_names_each_documented():
    assert 0 < len(corr2cause.__all__) <= 15
    assert sorted(corr2cause.__all__) == corr2cause.__all__
    for name in corr2cause.__all__:
        thing = getattr(corr2cause, name)
        assert thing.__name__ == name
        assert inspect.getdoc(thing)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = corr2cause.nonsense


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, corr2cause; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT / "src")
    heavy = {"click", "numpy", "pandas", "pyarrow", "networkx", "pynauty", "tqdm", "yaml", "dask", "matplotlib"}
    assert not heavy & set(loaded.stdout.split())


def test_the_version_is_a_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+([ab]\d+|rc\d+)?", corr2cause.__version__)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is_for(name):
    try:
        module = importlib.import_module(name)
    except MissingExtraError as error:
        pytest.skip(str(error))
    assert inspect.getdoc(module)


def test_the_command_is_the_one_that_the_package_installs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"corr2cause": "corr2cause.cli:main"}


def test_each_stage_imports_only_the_stages_before_it():
    """The contracts of pyproject.toml, as import-linter judges them."""
    linter = pytest.importorskip("importlinter.cli", reason="import-linter is not installed")
    assert linter.lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0
