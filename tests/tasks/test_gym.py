"""The data set inside reasoning-gym: created by name, mixed, reseeded, scheduled."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from itertools import islice

import pytest

from corr2cause.tasks import Corr2CauseConfig, Corr2CauseTask
from tests.cli.running import environment


def test_without_the_library_the_extra_is_named_and_the_task_works():
    code = (
        "import sys; sys.modules['reasoning_gym'] = None\n"
        "from corr2cause.tasks import *; print(Corr2CauseTask(Corr2CauseConfig(min_n=3, max_n=3))[0]['answer'])\n"
        "import corr2cause.tasks.gym"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=False)
    assert done.stdout.strip() in ("Yes", "No")
    assert done.stderr.splitlines()[-1].endswith(
        'reasoning-gym is not installed; get it with: pip install "corr2cause[gym]"'
    )


@pytest.fixture(scope="module")
def gym():
    library = pytest.importorskip("reasoning_gym")
    import corr2cause.tasks.gym  # registers the data set

    assert corr2cause.tasks.gym.NAME in library.factory.DATASETS
    return library


def test_it_is_created_by_name_with_the_items_of_the_task(gym):
    data = gym.create_dataset("corr2cause", size=20, seed=42, max_n=5)
    task = Corr2CauseTask(Corr2CauseConfig(size=20, seed=42, max_n=5))
    assert isinstance(data, gym.dataset.ProceduralDataset)
    assert (len(data), data.seed, data.size) == (20, 42, 20)
    assert list(data) == list(task) == [data[index] for index in range(20)]
    for item in data:
        assert data.score_answer(item["answer"], item) == 1.0
        assert data.score_answer("Yes and No", item) == data.score_answer(None, item) == 0.0


def test_its_default_configuration_scores(gym):
    score = gym.get_score_answer_fn("corr2cause")
    assert (score("Yes.", {"answer": "Yes"}), score("No", {"answer": "Yes"})) == (1.0, 0.0)


def test_it_joins_a_mixture(gym):
    from reasoning_gym.composite import DatasetSpec

    specs = [DatasetSpec("corr2cause", 1.0, {"max_n": 5}), DatasetSpec("leg_counting", 1.0, {})]
    mixed = gym.create_dataset("composite", size=30, seed=1, datasets=specs)
    sources = [item["metadata"]["source_dataset"] for item in mixed]
    assert 5 < sources.count("corr2cause") < 25
    for index, item in enumerate(mixed):
        assert item["metadata"]["source_index"] == index
        assert mixed.score_answer(item["answer"], item) == 1.0
    mixed.update_dataset_config("corr2cause", {"max_n": 4})
    assert {item["metadata"]["n"] for item in mixed if item["metadata"]["source_dataset"] == "corr2cause"} == {4}


def test_reseeding_goes_on_with_other_items(gym):
    data = gym.create_dataset("corr2cause", size=5, seed=7, max_n=5)
    endless = list(islice(gym.dataset.ReseedingDataset(data, chunk_size=5), 15))
    for chunk, seed in enumerate((7, 8, 9)):
        expected = gym.create_dataset("corr2cause", size=5, seed=seed, max_n=5)
        assert endless[5 * chunk : 5 * chunk + 5] == list(expected)
    assert data.config.seed == 7


def test_the_curriculum_adds_variables(gym):
    curriculum = gym.factory.create_curriculum("corr2cause")
    seen = []
    for _ in range(4):
        config = curriculum.generate_configuration({"size": 30, "seed": 1})
        seen.append((config.min_n, config.max_n))
        data = gym.create_dataset("corr2cause", **vars(config))
        assert {item["metadata"]["n"] for item in data} == set(range(config.min_n, config.max_n + 1))
        assert curriculum.increment_attr_level("n")
    assert seen == [(3, 3), (3, 4), (3, 5), (3, 6)]


def test_it_is_copied_and_pickled_without_what_it_draws_from(gym):
    data = gym.create_dataset("corr2cause", size=20, seed=42)
    assert len(pickle.dumps(data)) < 2_000
    assert pickle.loads(pickle.dumps(data))[3] == copy.deepcopy(data)[3] == data[3]


def test_bad_values_are_refused_as_everywhere(gym):
    from corr2cause.errors import OptionError

    with pytest.raises(OptionError, match="max_n: 3 is less than min_n, 4"):
        gym.create_dataset("corr2cause", max_n=3)
