"""Rows as prompts, and which examples they show."""

from __future__ import annotations

import shutil

import pytest

from corr2cause.checking.answers import Answer, read_answer
from corr2cause.checking.explanation import explain
from corr2cause.dataset.exporting.prompts import PromptOptions, make_prompts
from corr2cause.dataset.options import GenerationOptions, Mode, PerturbationOptions, SplitOptions
from corr2cause.dataset.perturbing import perturb
from corr2cause.dataset.reading import open_dataset
from corr2cause.errors import FileError, OptionError
from corr2cause.graphs.terms import Reading
from corr2cause.text.parsing import parse_premise
from corr2cause.text.prompting import Style, method, reasoned, zero_shot
from tests.dataset.folders import data_folder

OPTIONS = GenerationOptions(n=4, reading=Reading.PATH, split=SplitOptions(split_threshold=100))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = data_folder(tmp_path_factory.mktemp("prompts") / "data", OPTIONS)
    perturb(open_dataset(path), PerturbationOptions(Mode.WORDS, ("test",)))
    return path


def rows(folder, split="test"):
    return open_dataset(folder).read(split).to_pylist()


def prompts(folder, split=None, **options):
    return list(make_prompts(folder, split, PromptOptions(**options)))


def shown(prompt):
    """Return the examples of a prompt: question and answer."""
    said = [turn.content for turn in prompt.messages[:-1]]
    return list(zip(said[::2], said[1::2], strict=True))


def test_zero_shot_asks_each_row_in_the_published_words(folder):
    for split in ("test", "dev"):
        found = [
            (prompt.id, [(turn.role, turn.content) for turn in prompt.messages]) for prompt in prompts(folder, split)
        ]
        assert found == [
            (row["id"], [("user", zero_shot(row["premise"], row["hypothesis"]))]) for row in rows(folder, split)
        ]


def test_a_folder_a_file_and_perturbed_rows(folder):
    assert prompts(folder / "test.jsonl") == prompts(folder)
    perturbed = prompts(folder / "perturbation_by_words")
    assert [prompt.id for prompt in perturbed] == [prompt.id for prompt in prompts(folder)]
    assert perturbed != prompts(folder)


@pytest.mark.parametrize("shots", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_examples_are_of_train_balanced_right_and_strangers(folder, shots, seed):
    train = {zero_shot(row["premise"], row["hypothesis"]): row for row in rows(folder, "train")}
    asked = {row["class_id"] for row in rows(folder)}
    several = [shown(prompt) for prompt in prompts(folder, style=Style.FEW_SHOT, shots=shots, seed=seed)]
    examples = several[0]
    assert all(one == examples for one in several)
    assert len({question for question, _ in examples}) == shots
    assert [answer for _, answer in examples] == [("No", "Yes")[train[question]["label"]] for question, _ in examples]
    assert abs(2 * sum(answer == "Yes" for _, answer in examples) - shots) <= 1
    assert not {train[question]["class_id"] for question, _ in examples} & asked


def test_the_seed_decides_and_nothing_else(folder):
    drawn = [shown(prompts(folder, style=Style.FEW_SHOT, seed=seed)[0]) for seed in range(8)]
    assert drawn[3] == shown(prompts(folder, style=Style.FEW_SHOT, seed=3)[-1])
    assert len({str(one) for one in drawn}) == 8
    assert len({tuple(answer for _, answer in one) for one in drawn}) > 2, "the order of the labels tells nothing"
    odd = [[answer for _, answer in shown(prompts(folder, style=Style.FEW_SHOT, shots=1, seed=s)[0])] for s in range(8)]
    assert ["Yes"] in odd
    assert ["No"] in odd


def test_a_sample_is_spread_over_all_rows_and_the_seed_decides(folder):
    whole = prompts(folder, "train")
    order = {prompt.id: place for place, prompt in enumerate(whole)}
    for wanted in (1, 7, 100, len(whole) - 1):
        some = prompts(folder, "train", sample=wanted)
        places = [order[prompt.id] for prompt in some]
        assert len(some) == wanted
        assert all(some[k] == whole[place] for k, place in enumerate(places))
        stretches = [k * len(whole) // wanted for k in range(wanted + 1)]
        assert all(low <= place < high for place, low, high in zip(places, stretches, stretches[1:], strict=False))
    assert len({str(prompts(folder, sample=9, seed=seed)) for seed in range(5)}) == 5
    assert prompts(folder, "train", sample=10**9) == prompts(folder, "train", sample=len(whole)) == whole


def test_some_rows_of_train_leave_others_for_examples(folder):
    some = prompts(folder, "train", sample=5, style=Style.FEW_SHOT)
    assert len(some) == 5
    assert len(shown(some[0])) == 4


def test_perturbed_rows_have_the_examples_of_their_originals(folder):
    original, perturbed = (prompts(path, style=Style.FEW_SHOT) for path in (folder, folder / "perturbation_by_words"))
    assert shown(original[0]) == shown(perturbed[0])
    file = folder / "perturbation_by_words" / "test.jsonl"
    assert prompts(file, style=Style.FEW_SHOT, examples=folder) == perturbed


@pytest.mark.parametrize("style", [Style.CHAIN_OF_THOUGHT, Style.PC_STEPS])
def test_worked_steps_are_those_of_the_explanation_in_the_reading_of_the_data(folder, style):
    train = {reasoned(row["premise"], row["hypothesis"]): row for row in rows(folder, "train")}
    (first, *others) = prompts(folder, style=style, shots=4)
    examples = shown(first)
    question, answer = examples[0]
    taught = method("path") + "\n\n" if style is Style.PC_STEPS else ""
    examples[0] = question.removeprefix(taught), answer
    for question, answer in examples:
        row = train[question]
        assert answer == "\n".join(explain(row["premise"], row["hypothesis"], Reading.PATH).steps())
        assert read_answer(answer) == row["label"]
    assert first.messages[0].content.startswith(taught)
    assert [prompt.messages[-1].content for prompt in (first, *others)] == [
        reasoned(row["premise"], row["hypothesis"]) for row in rows(folder)
    ]


def test_pc_steps_teach_the_reading_that_is_asked_for(folder):
    taught = {
        reading: prompts(folder, style=Style.PC_STEPS, reading=reading)[0].messages[0].content
        for reading in (None, *Reading)
    }
    assert taught[None] == taught[Reading.PATH]
    assert len(set(taught.values())) == 3
    assert prompts(folder / "test.jsonl", style=Style.PC_STEPS)[0].messages[0].content == taught[Reading.DIRECT]


def test_no_prompt_answers_itself(folder):
    """A model that only repeats the question says neither yes nor no."""
    for style in Style:
        for prompt in prompts(folder, style=style)[::9]:
            assert read_answer(prompt.messages[-1].content) is Answer.UNREADABLE
            assert set(prompt.to_json()) == {"id", "messages"}


@pytest.mark.parametrize(
    ("split", "options", "said"),
    [
        (None, {"shots": 2}, "--shots: zero-shot shows no examples"),
        (None, {"style": Style.FEW_SHOT, "shots": 0}, "--shots: few-shot shows at least one"),
        (None, {"style": Style.FEW_SHOT, "shots": 10_000}, "--shots: of the train rows"),
        ("train", {"style": Style.FEW_SHOT}, "--style: examples come from the rows of train, .* ask another split"),
        ("train", {"style": Style.PC_STEPS, "shots": 2}, "--shots: examples come from the rows of train"),
    ],
)
def test_options_that_cannot_be_met(folder, split, options, said):
    with pytest.raises(OptionError, match=said):
        prompts(folder, split, **options)


def test_files_and_folders_without_train_rows(folder, tmp_path):
    with pytest.raises(OptionError, match="--examples: a file has no train split"):
        prompts(folder / "test.jsonl", style=Style.FEW_SHOT)
    with pytest.raises(OptionError, match=r"--split: .* has no splits"):
        prompts(folder / "test.jsonl", "dev")
    small = data_folder(tmp_path / "small", GenerationOptions(n=2))
    with pytest.raises(OptionError, match=r"--examples: .* has no train split"):
        prompts(small, style=Style.FEW_SHOT)
    alone = shutil.copytree(folder / "perturbation_by_words", tmp_path / "elsewhere" / "alone")
    assert len(prompts(alone)) == len(rows(folder)), "who asks for no examples needs no originals"
    with pytest.raises(FileError, match="elsewhere"):
        prompts(alone, style=Style.FEW_SHOT)


def test_rows_split_by_row_share_no_class_with_their_examples(tmp_path):
    by_row = SplitOptions(split_threshold=100, split_by="row")
    folder = data_folder(tmp_path / "data", GenerationOptions(n=5, split=by_row))
    names = {parse_premise(row["premise"])[0] for row in rows(folder)}
    for question, _ in shown(prompts(folder, style=Style.FEW_SHOT, shots=6)[0]):
        premise = question.partition("\n")[0].removeprefix("Question: ")
        assert parse_premise(premise)[0] not in names
