"""`corr2cause generate` as a person runs it: what is made, what is refused, and what an interrupted run leaves."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from corr2cause.cli import main
from corr2cause.dataset import generating, planning
from corr2cause.dataset.options import GenerationOptions
from corr2cause.locks import folder_lock
from tests.cli.running import COMMAND, call, environment, run, start
from tests.dataset.folders import contents, data_folder

SMALL = ["--n", "3", "--format", "jsonl"]
FILES = {"README.md", "manifest.json", "dev.jsonl", "test.jsonl"}


def invoke(*arguments: object):
    return CliRunner().invoke(main, ["generate", *map(str, arguments)], catch_exceptions=False)


def test_the_summary_is_the_table_of_the_specification(tmp_path):
    """On stdout, and nothing else; five variables, both formats."""
    done = run("generate", "--n", 5, "--out", tmp_path / "data")
    assert (done.returncode, done.stderr) == (0, "")
    *lines, empty, place = done.stdout.splitlines()
    table = [line.split() for line in lines]
    assert (empty, place) == ("", f"8 files, 12.3 MB, in {tmp_path / 'data'}")
    assert table[0][:7] == ["n", "classes", "members", "rows", "positives", "%", "positive"]
    assert table[0][7:] == ["train", "dev", "test", "reserve"]
    assert [row[:5] for row in table[2:]] == [
        ["2", "2", "3", "12", "0"],
        ["3", "5", "13", "90", "3"],
        ["4", "20", "83", "720", "55"],
        ["5", "142", "740", "8,520", "1,103"],
        ["all", "169", "839", "9,342", "1,161"],
    ]
    assert table[-1][5:] == ["12.43", "7,416", "614", "632", "680"]
    splits = ("train", "dev", "test", "reserve")
    assert set(contents(tmp_path / "data")) == {
        "README.md",
        "manifest.json",
        *(f"{split}.{form}" for split in splits for form in ("jsonl", "parquet")),
    }


def test_quiet_says_nothing(tmp_path):
    result = invoke(*SMALL, "--quiet", "--out", tmp_path)
    assert (result.exit_code, result.output) == (0, "")
    assert set(contents(tmp_path)) == FILES


def test_the_default_folder_is_made_below_the_working_folder(tmp_path):
    assert run("generate", *SMALL, cwd=tmp_path).returncode == 0
    assert set(contents(tmp_path / "data" / "corr2cause")) == FILES


@pytest.mark.parametrize(
    ("formats", "suffixes"),
    [
        (["--format", "jsonl"], {".jsonl"}),
        (["--format", "parquet"], {".parquet"}),
        (["--format", "parquet", "--format", "jsonl"], {".jsonl", ".parquet"}),
        (["--format", "jsonl", "--format", "jsonl"], {".jsonl"}),
        ([], {".jsonl", ".parquet"}),
    ],
)
def test_formats_are_those_asked_for_each_once(tmp_path, formats, suffixes):
    assert invoke("--n", 2, *formats, "--out", tmp_path).exit_code == 0
    assert {Path(name).suffix for name in contents(tmp_path)} - {".md", ".json"} == suffixes


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--n", "1"], "1 is not in the range 2<=x<=8"),
        (["--n", "40"], "40 is not in the range 2<=x<=8"),
        (["--n", "9"], "9 is more than 8; use `corr2cause sample` to draw some classes"),
        (["--n", "3-12"], "3-12 is more than 8; use `corr2cause sample`"),
        (["--n", "x"], "'x' is neither a number, such as 6, nor a range, such as 3-6"),
        (["--n", "3,4"], "'3,4' is neither"),
        (["--n", "3.5"], "'3.5' is neither"),
        (["--n", ""], "'' is neither"),
        (["--min-n", "1"], "not in the range"),
        (["--reading", "strange"], "'strange' is not one of 'direct', 'path', 'ancestral'"),
        (["--names", "numbers"], "is not one of"),
        (["--format", "csv"], "is not one of"),
        (["--seed", "lucky"], "not a valid integer"),
        (["--workers", "0"], "not in the range"),
        (["--split-fraction", "half"], "not a valid float"),
        (["surplus"], "unexpected extra argument"),
    ],
)
def test_wrong_usage_is_two_with_the_reason(tmp_path, arguments, problem):
    result = invoke(*arguments, "--out", tmp_path / "data")
    assert result.exit_code == 2
    assert problem in result.output
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--n", 3, "--min-n", 5], "Error: --min-n: 5 is not in 2 to --n 3"),
        (["--split-fraction", 0.7], "Error: --split-fraction: 0.7 is not above 0 and at most 0.5"),
        (["--split-fraction", "nan"], "Error: --split-fraction: nan is not above 0 and at most 0.5"),
        (["--split-rows", 0], "Error: --split-rows: 0 is too small; give at least 1"),
        (["--whole-classes", "--split-by", "row"], "Error: --whole-classes: makes no sense with --split-by row"),
    ],
)
def test_options_that_make_no_sense_are_one_line(tmp_path, arguments, line):
    result = invoke(*arguments, "--out", tmp_path / "data")
    assert result.exit_code == 2
    assert result.output.startswith(line)
    assert result.output.count("\n") == 1
    assert not (tmp_path / "data").exists()


def refused(*arguments: object) -> str:
    """Run the command, which must fail with one line, and return it."""
    done = call("generate", *arguments)
    assert done.returncode == 1, done
    assert done.stdout == ""
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_file_as_target_is_refused(tmp_path):
    (tmp_path / "data").write_text("mine")
    assert "data: a file of this name is in the way" in refused(*SMALL, "--out", tmp_path / "data")
    assert "a part of this path is a file" in refused(*SMALL, "--out", tmp_path / "data" / "below")
    assert (tmp_path / "data").read_text() == "mine"


@pytest.mark.parametrize("target", ["/proc/corr2cause", "/dev/null/data"])
def test_a_target_that_cannot_be_made_is_refused(target):
    """Also for root, who may write anywhere else."""
    if not Path(target).parent.exists():
        pytest.skip(f"there is no {Path(target).parent} here")
    assert target in refused(*SMALL, "--out", target)


def test_a_folder_without_permission_is_refused(tmp_path):
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    tmp_path.chmod(0o500)
    assert "permission denied" in refused(*SMALL, "--out", tmp_path / "data")


def test_a_foreign_folder_is_left_alone(tmp_path):
    (tmp_path / "train.jsonl").write_text("mine")
    assert "without a manifest" in refused(*SMALL, "--out", tmp_path)
    (tmp_path / "manifest.json").write_text('{"name": "an app"}')
    assert "not written by corr2cause" in refused(*SMALL, "--out", tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    assert "damaged" in refused(*SMALL, "--out", tmp_path)
    assert (tmp_path / "train.jsonl").read_text() == "mine"


def test_other_options_leave_the_data_and_force_replaces_them(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=3))
    before = contents(folder)
    line = refused(*SMALL, "--seed", 1, "--out", folder)
    assert f"{folder}: this was made with other options (seed 0 instead of 1)" in line
    assert "--force" in line
    assert contents(folder) == before
    assert call("generate", *SMALL, "--seed", 1, "--force", "--out", folder).returncode == 0
    assert contents(folder) == contents(data_folder(tmp_path / "other", GenerationOptions(n=3, seed=1)))


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_the_same_options_again_say_that_there_is_nothing_to_do(tmp_path, quiet):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=3))
    before = contents(folder)
    done = call("generate", *SMALL, "--out", folder, *quiet)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"{folder}: complete already, made with the same options; nothing to do.\n"
    assert contents(folder) == before


def test_a_dry_run_writes_nothing_and_counts_exactly(tmp_path):
    made = call("generate", "--n", 5, "--out", tmp_path / "made")
    assert made.returncode == 0
    done = run("generate", "--n", 5, "--dry-run", "--out", tmp_path / "dry", cwd=tmp_path)
    assert done.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made"]
    header, _, *table = [line.split() for line in done.stdout.replace(",", "").splitlines()]
    assert header == ["n", "classes", "rows", "size", "time"]
    assert [row[:3] for row in table] == [
        ["2", "2", "12"],
        ["3", "5", "90"],
        ["4", "20", "720"],
        ["5", "142", "8520"],
        ["all", "169", "9342"],
    ]
    written = sum(path.stat().st_size for path in (tmp_path / "made").iterdir())
    assert table[-1][4] == "MB"
    assert written / 2 < float(table[-1][3]) * 1e6 < written * 2
    assert "Nothing was written" in done.stderr


def test_a_dry_run_over_a_data_set_leaves_it(tmp_path):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=3))
    before = contents(folder)
    assert invoke("--n", 4, "--dry-run", "--out", folder).exit_code == 0
    assert contents(folder) == before


def test_splitting_by_row_warns_of_shared_premises(tmp_path):
    done = call("generate", *SMALL, "--split-by", "row", "--out", tmp_path)
    assert done.returncode == 0
    assert done.stderr == "Warning: with --split-by row, train, dev and test share premises.\n"


def test_two_runs_into_one_folder_at_once(tmp_path):
    with folder_lock(tmp_path / "data"):
        line = refused(*SMALL, "--out", tmp_path / "data")
    assert "another corr2cause is writing here; wait for it or choose another folder" in line
    assert call("generate", *SMALL, "--out", tmp_path / "data").returncode == 0


def test_a_run_that_goes_on_says_from_where(tmp_path, monkeypatch):
    monkeypatch.setattr(planning, "ROWS_PER_SHARD", 100)
    options = ("generate", "--n", 4, "--workers", 1, "--out", tmp_path / "data")
    make = generating.make_piece

    def limited(options, staging, layout, piece):
        if piece.name.startswith("train-00003"):
            raise KeyboardInterrupt
        return make(options, staging, layout, piece)

    with monkeypatch.context() as patched:
        patched.setattr(generating, "make_piece", limited)
        assert "the same command goes on from there" in call(*options).stderr
    again = call(*options)
    said = re.fullmatch(r"(\d+) of 822 rows are there already, from a run that was stopped; .*\n", again.stderr)
    assert 0 < int(said[1]) < 822


@contextmanager
def halfway(folder: Path, *arguments: object):
    """Start a run of many seconds, and give it when it has begun to write."""
    command = start("generate", "--n", 6, "--with-steps", "--out", folder, "--format", "jsonl", *arguments)
    try:
        deadline = time.monotonic() + 60
        while not any((folder / ".staging").glob("*.part")):
            assert command.poll() is None, command.communicate()
            assert time.monotonic() < deadline, "the run never began to write"
            time.sleep(0.01)
        yield command
    finally:
        if command.poll() is None:
            command.kill()
        command.communicate(timeout=60)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_run_that_is_stopped_half_way_leaves_nothing_under_its_name(tmp_path, sent, workers):
    folder = tmp_path / "data"
    with halfway(folder, "--workers", workers) as command:
        os.killpg(command.pid, sent) if sent is signal.SIGINT else command.send_signal(sent)
        stdout, stderr = command.communicate(timeout=60)
        assert command.returncode == {signal.SIGINT: 1, signal.SIGKILL: -sent}.get(sent, 128 + sent)
    assert stdout == ""
    assert "Traceback" not in stderr
    if sent is signal.SIGINT:
        assert stderr.split("\n")[-2] == "Aborted!"
    finished = any((folder / ".staging").glob("*.finished.json"))
    if sent is not signal.SIGKILL:
        assert (folder / ".staging").exists() == finished
        assert ("the same command goes on from there" in stderr) == finished
        assert ("No file was finished yet: the same command begins anew." in stderr) != finished
    assert contents(folder) == {}
    done = call("generate", *SMALL, "--out", folder, *(["--force"] if finished else []))
    assert (done.returncode, done.stderr) == (0, "")
    assert contents(folder) == contents(data_folder(tmp_path / "usual", GenerationOptions(n=3)))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_run_with_force_that_is_stopped_leaves_the_old_data(tmp_path, sent):
    folder = data_folder(tmp_path / "data", GenerationOptions(n=3))
    before = contents(folder)
    with halfway(folder, "--force") as command:
        command.send_signal(sent)
        command.communicate(timeout=60)
    assert contents(folder) == before
    assert "nothing to do" in call("generate", *SMALL, "--out", folder).stderr


@contextmanager
def small_disk(folder: Path, size: str):
    """Mount a disk of a few hundred kilobytes, where that is allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount on this system")
    if done.returncode:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("formats", [["jsonl"], ["parquet"], ["jsonl", "parquet"]])
def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path, formats):
    chosen = [word for form in formats for word in ("--format", form)]
    with small_disk(tmp_path / "disk", "48k") as disk:
        line = refused("--n", 5, *chosen, "--out", disk / "data")
        assert "no space is left on this disk" in line
        assert contents(disk / "data") == {}


def test_a_full_disk_does_not_harm_the_data_that_are_there(tmp_path):
    with small_disk(tmp_path / "disk", "300k") as disk:
        assert call("generate", *SMALL, "--out", disk / "data").returncode == 0
        before = contents(disk / "data")
        assert "no space is left on this disk" in refused("--n", 5, "--force", "--out", disk / "data")
        assert contents(disk / "data") == before


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@pytest.mark.parametrize("formats", ["jsonl", "parquet"])
def test_a_file_that_may_not_grow_is_one_line_and_leaves_nothing(tmp_path, formats):
    """As a full disk, for those who cannot mount one."""
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000));"
        "from corr2cause.cli import main; main(sys.argv[1:], prog_name='corr2cause')"
    )
    arguments = ["generate", "--n", "5", "--format", formats, "--out", str(tmp_path / "data")]
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, *arguments], capture_output=True, text=True, env=environment(), check=False
    )
    assert done.returncode == 1
    assert re.fullmatch(r"Error: .*the file grew larger than this disk or account allows.*\n", done.stderr)
    assert contents(tmp_path / "data") == {}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_the_first_line_of_the_table_can_be_taken_alone(tmp_path):
    words = " ".join(f"'{word}'" for word in [*COMMAND, "generate", *SMALL, "--out", str(tmp_path / "data")])
    done = subprocess.run(
        ["sh", "-c", f"{words} | head -1"], capture_output=True, text=True, env=environment(), check=False
    )
    assert done.stdout.split()[:3] == ["n", "classes", "members"]
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert set(contents(tmp_path / "data")) == FILES


@pytest.mark.parametrize("seed", [-7, 2**80])
def test_any_whole_number_is_a_seed(tmp_path, seed):
    assert invoke(*SMALL, "--seed", seed, "--out", tmp_path / "data").exit_code == 0
    again = invoke(*SMALL, "--seed", seed, "--out", tmp_path / "data")
    assert "nothing to do" in again.output


def test_odd_names_of_folders(tmp_path):
    folder = tmp_path / "données – 数据 with spaces"
    assert run("generate", *SMALL, "--out", folder).returncode == 0
    assert set(contents(folder)) == FILES
    assert run("generate", *SMALL, "--out", folder, PYTHONIOENCODING="ascii").returncode == 0


def test_balanced_data_are_summed_up_and_can_be_perturbed_counted_and_verified(tmp_path):
    folder = tmp_path / "data"
    done = run("generate", *SMALL, "--n", 4, "--balance", "--only-agreeing", "--out", folder)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[2].split() == ["2", "2", "3", "0", "0", "–", "0", "0", "0", "0"]
    assert lines[5].split()[:6] == ["all", "27", "99", "116", "58", "50.00"]
    assert "Rows were left out" in done.stdout
    assert run("perturb", "--mode", "words", "--data", folder).returncode == 0
    counted = json.loads(run("stats", folder, "--json").stdout)
    assert [(row["n"], row["samples"], row["positive_percent"]) for row in counted["dataset"]] == [
        (3, 6, 50.0),
        (4, 110, 50.0),
        ("all", 116, 50.0),
    ]
    assert [row["complete"] for row in counted["graphs"]] == [True, True], "of the graphs, not of the rows"
    assert run("verify", folder).returncode == 0
    assert run("evaluate", folder / "test.jsonl", "--data", folder).returncode == 0


def test_nothing_left_is_one_line(tmp_path):
    done = run("generate", "--n", 2, "--balance", "--out", tmp_path / "data")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith("Error: --balance: no row is left; give wider bounds, or a larger --n")
    assert contents(tmp_path / "data") == {}


def test_eight_variables_need_a_folder_to_be_found_in(tmp_path):
    result = invoke("--n", "8", "--min-n", "8", "--out", tmp_path / "data", "--format", "parquet")
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "--scratch: the classes of 8 variables are found through a folder; name one" in result.output


def test_eight_variables_are_not_sought_where_other_data_lie(tmp_path):
    """To find them takes many minutes, after which they would be refused."""
    invoke(*SMALL, "--out", tmp_path / "data", "--quiet")
    folders = ("--out", tmp_path / "data", "--scratch", tmp_path / "scratch")
    result = invoke("--n", "8", "--min-n", "8", "--format", "parquet", "--yes", *folders)
    assert (result.exit_code, "made with other options" in result.output) == (1, True)
    assert not (tmp_path / "scratch").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--n", "3", "--scratch", "s"], "--scratch: 3 variables need none; leave it out"),
        (["--n", "5-4"], "5-4 begins above its end; give the smaller number first"),
        (["--scheduler", "tcp://h:1", "--workers", "2"], "--workers: the workers are those of the cluster"),
    ],
)
def test_options_that_contradict_are_wrong_usage(tmp_path, arguments, problem):
    result = invoke(*arguments, "--out", tmp_path / "data")
    assert (result.exit_code, problem in result.output) == (2, True)
