"""`corr2cause explain` from the outside: sources, forms, errors in one line."""

import json
import shutil

import pytest
from click.testing import CliRunner

from corr2cause.checking.explanation import explain as explain_in_python
from corr2cause.cli import main
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions
from corr2cause.dataset.reading import open_dataset
from corr2cause.graphs.terms import Reading

PREMISE = (
    "Suppose there is a closed system of 3 variables, A, B and C. All the statistical relations among these 3 "
    "variables are as follows: A correlates with C. B correlates with C. However, A is independent of B."
)
HYPOTHESIS = "A directly causes C."
TEXT = f"Premise: {PREMISE}\nHypothesis: {HYPOTHESIS}"


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, ["explain", *map(str, arguments)], input=stdin)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explain") / "data"
    generate(GenerationOptions(n=3, reading=Reading.PATH), Target(folder, ["jsonl"]))
    return folder


@pytest.fixture
def question(tmp_path):
    path = tmp_path / "question.txt"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    return path


def test_every_source_gives_the_same_explanation(question):
    expected = explain_in_python(PREMISE, HYPOTHESIS).prose() + "\n"
    for result in (
        run(TEXT),
        run("--file", question),
        run("--file", "-", stdin=TEXT),
        run("--premise", PREMISE, "--hypothesis", HYPOTHESIS),
    ):
        assert result.exit_code == 0
        assert result.output == expected


def test_steps_are_numbered_and_end_in_the_answer():
    lines = run(TEXT, "--steps").output.splitlines()
    assert [line.split(".")[0] for line in lines[:-1]] == [str(k) for k in range(1, len(lines))]
    assert lines[-1] == "Therefore: Yes."
    assert run(TEXT.replace("A directly", "B directly").replace("causes C", "causes A"), "--steps").output.endswith(
        "Therefore: No.\n"
    )


def test_json_is_one_object():
    result = run(TEXT, "--json")
    assert json.loads(result.output) == explain_in_python(PREMISE, HYPOTHESIS).to_json()
    assert result.output.count("\n") == 1


def test_a_row_by_its_id_in_the_reading_of_its_data(folder):
    rows = open_dataset(folder).read("test").to_pylist()
    for row in rows[::9]:
        found = json.loads(run("--id", row["id"], "--data", folder, "--json").output)
        assert (found["label"], found["holds_in"]) == (row["label"], row["holds_in"])
        assert found["reading"] == "path"
        assert (found["premise"], found["hypothesis"]) == (row["premise"], row["hypothesis"])
    other = run("--id", rows[0]["id"], "--data", folder, "--json", "--reading", "direct")
    assert json.loads(other.output)["reading"] == "direct"


def test_a_reading_decides():
    chain = PREMISE.replace("follows: A", "follows: A correlates with B. A").replace(
        " However, A is independent of B.", ""
    )
    question = f"{chain} Hypothesis: There exists at least one collider (i.e., common effect) of A and B."
    assert json.loads(run(question, "--json").output)["reading"] == "direct"
    assert "descendant of both A and B" in run(question, "--reading", "ancestral", "--steps").output


def test_a_premise_without_an_answer_is_no_error():
    result = run(TEXT.replace("A correlates with C. ", ""))
    assert result.exit_code == 0
    assert "neither a correlation nor an independence of A and C" in " ".join(result.output.split())
    assert result.output.endswith("Therefore: no answer, for the premise is incomplete.\n")


def test_a_figure_is_drawn_too(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    result = run(TEXT, "--plot", tmp_path / "figure.svg", "--steps")
    assert result.exit_code == 0
    assert result.output.endswith("Therefore: Yes.\n")
    assert "<svg" in (tmp_path / "figure.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give one of TEXT, --file, --id, or --premise and --hypothesis"),
        ((TEXT, "--id", "n2-c0-1-2-is_parent"), "give one of"),
        ((TEXT, "--premise", PREMISE, "--hypothesis", HYPOTHESIS), "give one of"),
        (("n2-c0-1-2-is_parent",), "n2-c0-1-2-is_parent is no text; for the row of this id write --id before it"),
        (("--premise", PREMISE), "--premise and --hypothesis belong together"),
        (("--hypothesis", HYPOTHESIS), "--premise and --hypothesis belong together"),
        ((TEXT, "--steps", "--json"), "exclude each other"),
        ((TEXT, "--reading", "none"), "'none' is not one of"),
        (("--file", "absent.txt"), "absent.txt"),
        ((TEXT, "--plot", "figure.pdf"), "neither a .png nor a .svg file"),
    ],
)
def test_usage_errors(arguments, said):
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("A causes B",), 'expected "Premise: … Hypothesis: …"'),
        ((TEXT.replace("A directly causes C", "A causes C"),), 'expected "{first} directly causes {second}."'),
        (("--id", "n3-c0-1-2-is_parent", "--data", "no-such-folder"), "no-such-folder"),
        (("--premise", " ", "--hypothesis", HYPOTHESIS), "the premise is empty"),
        (("--premise", PREMISE, "--hypothesis", ""), "the hypothesis is empty"),
        ((f"Hypothesis: {HYPOTHESIS} Premise: {PREMISE}",), "the premise is empty"),
    ],
)
def test_errors_are_one_line(arguments, said):
    result = run(*arguments)
    assert result.exit_code == 1
    (line,) = (line for line in result.output.splitlines() if line.startswith("Error"))
    assert said in line


def test_an_unknown_id_is_named(folder):
    result = run("--id", "n9", "--data", folder)
    assert result.exit_code == 2
    assert "has no row 'n9'" in result.output


def test_explain_stands_in_the_help_and_in_the_package():
    import corr2cause

    assert "explain" in CliRunner().invoke(main, ["--help"]).output
    assert corr2cause.explain is explain_in_python
    assert "explain" in corr2cause.__all__


def test_a_manifest_without_a_reading_is_damaged(folder, tmp_path):
    folder = shutil.copytree(folder, tmp_path / "edited")
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["options"]["reading"]
    path.write_text(json.dumps(manifest))
    result = run("--id", "n3-c0-1-2-is_parent", "--data", folder)
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {path}: the manifest is damaged")


def test_a_file_that_is_not_utf_8_is_named(tmp_path):
    path = tmp_path / "question.txt"
    path.write_bytes(TEXT.encode("utf-16"))
    result = run("--file", path)
    assert (result.exit_code, result.output) == (
        1,
        f"Error: {path}: this is not UTF-8 text; convert the file to UTF-8\n",
    )


def test_nothing_is_printed_when_the_figure_fails():
    assert run(TEXT, "--plot", "figure.pdf").output.startswith("Error: --plot:")
