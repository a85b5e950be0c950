"""Charts: their numbers are those of the tables, they can be read in grey print, and their files are whole and ours."""

import itertools
import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corr2cause.checking.chart_drawing import draw_chart
from corr2cause.checking.chart_files import write_charts
from corr2cause.checking.charts import (
    Point,
    class_sizes,
    evaluation_charts,
    f1_by_relation,
    positives,
    premise_lengths,
    robustness_by_relation,
    statistics_charts,
)
from corr2cause.checking.dataset_statistics import dataset_statistics
from corr2cause.checking.graph_statistics import graph_statistics
from corr2cause.checking.layout import spread
from corr2cause.checking.statistics import DatasetStatistics, PremiseLengths
from corr2cause.checking.tokens import tokenise
from corr2cause.counts import Counts
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions
from corr2cause.errors import FileError, MissingExtraError
from tests.checking.small_data import read_lines, row, write_folder, write_lines
from tests.cli.running import call

pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")

NAMES = {"f1-by-relation", "robustness", "positives", "premise-length", "class-size"}


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated data set of 2 to 4 variables, and answers to it and to a perturbation, many of them wrong."""
    folder = tmp_path_factory.mktemp("four") / "data"
    generate(GenerationOptions(n=4), Target(folder, ("jsonl",)))
    rows = read_lines(folder / "train.jsonl")
    for name, wrong in (("original", 5), ("perturbed", 2)):
        said = [{"id": one["id"], "prediction": one["label"] ^ (k % wrong == 0)} for k, one in enumerate(rows)]
        write_lines(folder.parent / f"{name}.jsonl", said)
    return folder


@pytest.fixture(scope="module")
def statistics(four: Path):
    dataset = dataset_statistics(four)
    return graph_statistics(dataset.sizes), dataset


@pytest.fixture(scope="module")
def scores(four: Path):
    """What the table of `evaluate` says, from its JSON, and the same as the library has it."""
    from corr2cause.bootstrap import Resampling
    from corr2cause.checking.evaluation import evaluate
    from corr2cause.checking.items import read_items
    from corr2cause.checking.predictions import align, read_predictions
    from corr2cause.checking.robustness import compare

    files = [four.parent / f"{name}.jsonl" for name in ("original", "perturbed")]
    done = call("evaluate", files[0], "--data", four, "--split", "train", "--against", files[1], "--json")
    items = read_items(four, "train")
    answers = align([read_predictions(path) for path in files], items.ids).answers
    return (
        json.loads(done.stdout),
        evaluate(items, answers[0], Resampling()),
        compare(items, *answers, Resampling()),
    )


@pytest.fixture(scope="module")
def charts(statistics, scores):
    _, evaluation, robustness = scores
    return (*statistics_charts(*statistics), *evaluation_charts(evaluation, {"perturbed": robustness}))


def test_bars_are_the_positives_of_the_table(four: Path, statistics) -> None:
    table = json.loads(call("stats", four, "--json").stdout)["relations"]
    chart = positives(statistics[1])
    assert [name for name, _ in chart.series] == ["2", "3", "4"]
    for n, values in chart.series:
        expected = {r["relation"].replace("_", " "): r["positive_percent"] for r in table if str(r["n"]) == n}
        assert dict(zip(chart.groups, values, strict=True)) == expected
    rows = [r for split in ("train", "dev", "test", "reserve") for r in lines_of(four, split)]
    mine = [r["label"] for r in rows if (r["num_variables"], r["relation"]) == (4, "has_collider")]
    assert dict(chart.series)["4"][chart.groups.index("has collider")] == 100 * sum(mine) / len(mine) > 0


def lines_of(folder: Path, split: str) -> list:
    path = folder / f"{split}.jsonl"
    return read_lines(path) if path.exists() else []


def test_boxes_are_the_lengths_of_the_premises(four: Path, statistics) -> None:
    """By definition: sort the lengths of all rows; a quartile is the least length that a quarter does not exceed."""
    rows = [r for split in ("train", "dev", "test", "reserve") for r in lines_of(four, split)]
    table = {str(row.n): row for row in statistics[1].rows}
    for box in premise_lengths(statistics[1]).boxes:
        lengths = sorted(len(tokenise(r["premise"])) for r in rows if str(r["num_variables"]) == box.name)
        assert (box.least, box.most) == (lengths[0], lengths[-1])
        for share, mark in ((0.25, box.lower), (0.5, box.median), (0.75, box.upper)):
            assert mark == next(x for x in lengths if sum(y <= x for y in lengths) >= share * len(lengths))
        assert box.mean == pytest.approx(table[box.name].tokens_per_premise)


@given(st.dictionaries(st.integers(1, 50), st.integers(1, 9), min_size=1))
def test_boxes_are_quartiles_by_definition(rows) -> None:
    (box,) = premise_lengths(DatasetStatistics((), (), (PremiseLengths(3, tuple(sorted(rows.items()))),))).boxes
    lengths = sorted(length for length, number in rows.items() for _ in range(number))
    quartiles = [lengths[math.ceil(len(lengths) * quarter / 4) - 1] for quarter in (1, 2, 3)]
    assert [box.lower, box.median, box.upper] == quartiles
    assert (box.least, box.most) == (lengths[0], lengths[-1])
    assert box.mean == pytest.approx(sum(lengths) / len(lengths))


def test_bars_are_the_sizes_of_the_classes(statistics) -> None:
    """Three variables: classes of 1, 1, 2, 3 and 6 graphs; four: 3 of 10 classes have one graph, the largest has 24."""
    chart = class_sizes(statistics[0])
    assert chart.groups == ("1", "2", "3-6", "7-24", "25+")
    for row_, (name, percents) in zip(statistics[0], chart.series, strict=True):
        assert name == str(row_.n)
        for group, percent in zip(((1,), (2,), range(3, 7), range(7, 25), range(25, 99)), percents, strict=True):
            classes = sum(number for size, number in row_.class_sizes if size in group)
            assert (percent or 0) == pytest.approx(100 * classes / row_.classes)
            assert (percent is None) == (not classes)
    assert dict(chart.series)["3"] == (40, 20, 40, None, None)


def test_points_are_the_scores_of_the_table(scores) -> None:
    table, evaluation, _ = scores
    chart = f1_by_relation(evaluation)
    assert [point.name for point in chart.points][:2] == ["all", "is parent"]
    expected = {"all": table["overall"], **{k.replace("_", " "): v for k, v in table["by_relation"].items()}}
    expected = {name: score for name, score in expected.items() if score["n_positives"]}
    assert [point.name for point in chart.points] == list(expected)
    assert len(expected) == 6
    for point in chart.points:
        assert point.value == pytest.approx(100 * expected[point.name]["f1"])
        assert point.interval == pytest.approx([100 * bound for bound in expected[point.name]["intervals"]["f1"]])


def test_slopes_are_the_robustness_of_the_table(scores) -> None:
    table, _, robustness = scores
    found = table["robustness"]
    expected = {"all": found["overall"], **{k.replace("_", " "): v for k, v in found["by_relation"].items()}}
    chart = robustness_by_relation(robustness)
    expected = {name: one for name, one in expected.items() if one["original"]["n_positives"]}
    assert [name for name, *_ in chart.slopes] == list(expected)
    assert len(expected) == 6
    for (name, before, after), change in zip(chart.slopes, chart.differences, strict=True):
        assert change.name == name
        assert change.value == pytest.approx(after - before)
        difference = expected[name]["difference"]
        assert change.interval == pytest.approx([100 * bound for bound in difference["intervals"]["f1"]])
        assert before == pytest.approx(100 * expected[name]["original"]["f1"])
        assert after == pytest.approx(100 * expected[name]["perturbed"]["f1"])


def test_what_has_no_positives_has_no_f1(scores) -> None:
    _, evaluation, robustness = scores
    nothing = Counts(correct_rejections=3)
    (relations, *others) = evaluation.breakdowns
    first, *rest = relations.scores
    emptied = replace(relations, scores=(replace(first, counts=nothing), *rest))
    names = [point.name for point in f1_by_relation(replace(evaluation, breakdowns=(emptied, *others))).points]
    assert names == ["all", *(score.name.replace("_", " ") for score in rest if score.counts.positives)]
    assert len(names) == 5
    one, *more = robustness.by_relation
    changed = replace(one, original=replace(one.original, counts=nothing))
    assert len(robustness_by_relation(replace(robustness, by_relation=(changed, *more))).slopes) == 5
    assert evaluation_charts(replace(evaluation, overall=replace(evaluation.overall, counts=nothing)), {}) == ()


def test_several_perturbations_have_a_chart_each(scores) -> None:
    _, evaluation, robustness = scores
    charts = evaluation_charts(evaluation, {"words": robustness, "runs/second try": robustness})
    assert [chart.name for chart in charts] == ["f1-by-relation", "robustness-words", "robustness-runs-second-try"]
    assert charts[2].title == "F1 by relation before and after the perturbation: runs/second try"


def check_legible(chart) -> None:
    """Measure texts as drawn: none is cut off, none overlaps another, none is smaller than nine points."""
    figure = draw_chart(chart)
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    texts = []
    for axes in figure.axes:
        legend = axes.get_legend()
        texts += [axes.xaxis.label, axes.yaxis.label, axes._left_title, *axes.texts]
        texts += ticks(axes)
        texts += [*legend.get_texts(), legend.get_title()] if legend else []
    boxes = {(k, text.get_text()): text.get_window_extent(renderer) for k, text in enumerate(texts) if text.get_text()}
    width, height = figure.canvas.get_width_height()
    assert len(boxes) > 5
    assert min(text.get_fontsize() for text in texts) >= 9
    for words, box in boxes.items():
        assert box.x0 >= 0, words
        assert box.y0 >= 0, words
        assert box.x1 <= width, words
        assert box.y1 <= height, words
    for (one, a), (other, b) in itertools.combinations(boxes.items(), 2):
        assert not a.overlaps(b), (one, other)


def ticks(axes) -> list:
    """Return the labels of the ticks within the limits of their axis: the others are not drawn."""
    found = []
    for k, (labels, limits) in enumerate(
        ((axes.get_xticklabels(), axes.get_xlim()), (axes.get_yticklabels(), axes.get_ylim()))
    ):
        found += [label for label in labels if min(limits) <= label.get_position()[k] <= max(limits)]
    return found


@pytest.mark.parametrize("place", range(5))
def test_no_text_is_cut_off_or_overlaps(charts, place: int) -> None:
    check_legible(charts[place])


def test_charts_of_all_sizes_are_legible(statistics) -> None:
    """As many sizes as there can be, with the numbers of the largest known data."""
    graphs, dataset = statistics
    chart = positives(dataset)
    check_legible(replace(chart, series=tuple((str(n), chart.series[2][1]) for n in range(1, 13))))
    boxes = premise_lengths(dataset)
    check_legible(replace(boxes, boxes=tuple(replace(boxes.boxes[2], name=str(n), most=99_999) for n in range(1, 13))))
    steps = class_sizes([replace(graphs[2], n=n, class_sizes=((1, 20), (7, 3), (5040, 1))) for n in range(1, 8)])
    check_legible(steps)


@pytest.mark.parametrize("value", [0.0, 33.3, 100.0])
def test_equal_slopes_do_not_hide_each_other(scores, value: float) -> None:
    chart = robustness_by_relation(scores[2])
    names = (*(name for name, *_ in chart.slopes), "has confounder")
    slopes = tuple((name, value + k / 100, value) for k, name in enumerate(names))
    changes = tuple(Point(name, -k / 100, None) for k, name in enumerate(names))
    check_legible(replace(chart, slopes=slopes, differences=changes))


@pytest.mark.parametrize("reach", [(40.0, 60.0), (0.0, 100.0), (55.0, 55.0)])
def test_an_axis_just_holds_its_points(scores, reach: tuple[float, float]) -> None:
    chart = f1_by_relation(scores[1])
    (axes,) = draw_chart(
        replace(chart, points=tuple(replace(one, value=55.0, interval=reach) for one in chart.points))
    ).axes
    low, high = axes.get_xlim()
    assert low < reach[0] <= reach[1] < high
    assert high - low <= max(10.6, 1.061 * (reach[1] - reach[0]))


def test_series_differ_without_colour(charts) -> None:
    axes = {chart.name: draw_chart(chart).axes[0] for chart in charts}
    for name in ("positives", "class-size"):
        assert len({bars[0].get_hatch() for bars in axes[name].containers}) == 3
    for side in axes["robustness"].figure.axes:
        lines = [line for line in side.lines if line.get_marker() != "None"]
        assert len(lines) == 6
        assert len({(line.get_marker(), line.get_color()) for line in lines}) == 6


@given(st.lists(st.floats(0, 100), min_size=1, max_size=7), st.floats(0.5, 10))
def test_labels_move_apart_as_little_as_needed(values, gap) -> None:
    places = spread(values, gap, 0, 100)
    order = sorted(range(len(values)), key=values.__getitem__)
    assert all(places[b] - places[a] >= gap - 1e-9 for a, b in itertools.pairwise(order))
    assert min(places) >= -1e-9
    assert max(places) <= 100 + 1e-9
    if all(values[b] - values[a] >= gap for a, b in itertools.pairwise(order)):
        assert places == pytest.approx(values)


def test_each_chart_is_two_files_with_the_same_bytes_again(tmp_path, charts) -> None:
    for folder in ("one", "two/deep"):
        written = write_charts(tmp_path / folder, charts)
        assert {path.name for path in written} == {f"{name}.{form}" for name in NAMES for form in ("png", "svg")}
    for path in (tmp_path / "one").iterdir():
        data = path.read_bytes()
        assert data == (tmp_path / "two/deep" / path.name).read_bytes()
        assert data.startswith(b"<?xml" if path.suffix == ".svg" else b"\x89PNG")
        if path.suffix == ".svg":
            assert b"<text" in data
            assert b"<image" not in data
            assert b"<dc:date>" not in data


def test_bytes_depend_neither_on_hashing_nor_on_the_settings_of_the_user(tmp_path, four: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 20\nsvg.fonttype: path\nlines.linewidth: 9\n")
    for seed, more in (("1", {}), ("2", {"MATPLOTLIBRC": str(tmp_path)})):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path), **more}
        command = [sys.executable, "-m", "corr2cause", "stats", str(four), "--figures", str(tmp_path / seed)]
        subprocess.run(command, check=True, env=environment, capture_output=True)
    files = sorted((tmp_path / "1").iterdir())
    assert len(files) == 6
    assert all(path.read_bytes() == (tmp_path / "2" / path.name).read_bytes() for path in files)


def test_our_own_charts_are_replaced_but_nothing_else(tmp_path, charts) -> None:
    write_charts(tmp_path, charts[:1])
    before = (tmp_path / "positives.svg").read_bytes()
    write_charts(tmp_path, (replace(charts[0], title="Anew"), charts[1]))
    assert (tmp_path / "positives.svg").read_bytes() != before
    foreign = tmp_path / "robustness.png"
    foreign.write_bytes(b"mine")
    with pytest.raises(FileError, match=r"robustness\.png: this was not drawn by corr2cause"):
        write_charts(tmp_path, charts)
    assert foreign.read_bytes() == b"mine"
    assert not (tmp_path / "class-size.png").exists(), "all are refused before one is written"


@pytest.mark.parametrize("command", ["stats", "evaluate"])
def test_commands_draw_before_they_print(tmp_path, four: Path, command: str) -> None:
    original, perturbed = (four.parent / f"{name}.jsonl" for name in ("original", "perturbed"))
    arguments = [four] if command == "stats" else [original, "--data", four, "--split", "train", "--against", perturbed]
    done = call(command, *arguments, "--figures", tmp_path / "figures")
    assert done.returncode == 0
    assert done.stdout == call(command, *arguments).stdout
    assert {path.stem for path in (tmp_path / "figures").iterdir()} < NAMES
    (tmp_path / "file").write_text("in the way")
    done = call(command, *arguments, "--figures", tmp_path / "file")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith(f"Error: {tmp_path / 'file'}")


def test_without_rows_nothing_is_drawn(tmp_path) -> None:
    done = call("stats", write_lines(tmp_path / "rows.jsonl", []), "--figures", tmp_path / "figures")
    assert done.returncode == 0
    assert "no charts, since there is nothing to show" in done.stderr


def test_sizes_that_cannot_be_enumerated_leave_out_their_chart(tmp_path) -> None:
    folder = write_folder(tmp_path / "data", {"test": [row(num_variables=9)]})
    assert call("stats", folder, "--figures", tmp_path / "figures").returncode == 0
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {"positives", "premise-length"}


def test_without_matplotlib_the_extra_is_named(tmp_path, charts, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r'pip install "corr2cause\[plot\]"'):
        write_charts(tmp_path / "figures", charts)
    assert not (tmp_path / "figures").exists()
