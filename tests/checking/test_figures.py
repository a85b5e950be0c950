"""Figures: nothing overlaps, nothing is cut off, edges are told apart without colour, bytes repeat."""

import builtins
import itertools
import math
import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.checking.explanation import Explanation, explain
from corr2cause.checking.figures import draw, plot_explanation
from corr2cause.checking.layout import NODE_RADIUS, circle
from corr2cause.errors import FileError, MissingExtraError, OptionError
from corr2cause.graphs.bitdags import from_edges
from corr2cause.graphs.separation import separations, statements
from corr2cause.text.facts import Hypothesis
from corr2cause.text.naming import letters, nouns
from corr2cause.text.verbalisation import verbalise_hypothesis, verbalise_premise
from corr2cause.text.wording import Claim
from tests.deriving.test_derivation import IMPOSSIBLE, premise_of

pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")

LONG = (
    "hours of sleep at night",
    "income of the household",
    "blood pressure (systolic)",
    "a-name-of-forty-characters-without-space",
    "WWWWWWWWWWWWWWW",
    "stress at work",
    "body mass index",
    "$x_1$ {dollars}",
)


def explanation(n, edges, names, claim=Claim.DIRECT) -> Explanation:
    held = zip(statements(n), separations(from_edges(n, edges))[0], strict=True)
    premise = premise_of(n, {statement for statement, holds in held if holds}, names=names)
    return explain(verbalise_premise(premise), verbalise_hypothesis(Hypothesis(claim, names[0], names[-1])))


def no_class() -> Explanation:
    return explain(verbalise_premise(premise_of(4, IMPOSSIBLE)), "A directly causes B.")


def check_legible(found: Explanation) -> None:
    """Measure what is drawn, in inches: texts, nodes and edges keep apart and lie on the paper."""
    figure = draw(found)
    width, height = figure.get_size_inches()
    (axes,) = figure.axes
    texts = [text.get_window_extent() for text in axes.texts]
    boxes = [tuple(value / figure.dpi for value in (b.x0, b.y0, b.x1, b.y1)) for b in texts]
    nodes = [patch for patch in axes.patches if getattr(patch, "radius", 0) == NODE_RADIUS]
    lines = [tuple(map(tuple, line.get_xydata())) for line in axes.lines]
    assert len(nodes) in (len(found.way.names), 2 * len(found.way.names))
    for left, bottom, right, top in boxes:
        assert 0 <= left < right <= width
        assert 0 <= bottom < top <= height
    for one, other in itertools.combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    for box in boxes:
        assert all(distance_to_box(node.center, box) >= NODE_RADIUS for node in nodes)
        assert not any(crosses(line, box) for line in lines)
    for one, other in itertools.combinations(nodes, 2):
        assert math.dist(one.center, other.center) > 3 * NODE_RADIUS
    for line in lines:
        near = [node for node in nodes if distance_to_segment(node.center, line) < NODE_RADIUS * 1.01]
        assert len(near) <= 2
        assert all(min(math.dist(node.center, end) for end in line) < 3 * NODE_RADIUS for node in near)


def distance_to_box(point, box):
    dx = max(box[0] - point[0], 0, point[0] - box[2])
    dy = max(box[1] - point[1], 0, point[1] - box[3])
    return math.hypot(dx, dy)


def distance_to_segment(point, line):
    (ax, ay), (bx, by) = line
    length = math.dist(*line)
    t = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / length**2
    t = min(1, max(0, t))
    return math.dist(point, (ax + t * (bx - ax), ay + t * (by - ay)))


def crosses(line, box):
    """Walk along the segment in small steps."""
    (ax, ay), (bx, by) = line
    along = ((ax + k / 200 * (bx - ax), ay + k / 200 * (by - ay)) for k in range(201))
    return any(distance_to_box(point, box) == 0 for point in along)


@pytest.mark.parametrize("names", [letters(8), nouns()[:8], LONG], ids=["letters", "nouns", "long"])
@pytest.mark.parametrize("n", range(2, 9))
def test_dense_graphs_of_every_size_are_legible(n, names):
    """All edges but one, so that there are arrows too."""
    edges = [edge for edge in itertools.combinations(range(n), 2) if edge != (0, 1) or n == 2]
    check_legible(explanation(n, edges, names[:n]))


@settings(max_examples=10, deadline=None)
@given(st.data(), st.integers(2, 8))
def test_random_graphs_with_any_words_are_legible(data, n):
    names = tuple(data.draw(st.lists(st.sampled_from([*nouns(), *LONG]), min_size=n, max_size=n, unique=True)))
    order = data.draw(st.permutations(range(n)))
    pairs = [(order[i], order[j]) for i, j in itertools.combinations(range(n), 2)]
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    check_legible(explanation(n, edges, names, data.draw(st.sampled_from(Claim))))


def test_a_premise_without_a_class_is_drawn_too():
    check_legible(no_class())


def styles(found: Explanation):
    """Return for each panel how many lines are solid and dashed, and how many heads there are in all."""
    (axes,) = draw(found).axes
    solid = sum(line.get_linestyle() == "-" for line in axes.lines)
    heads = sum(type(patch).__name__ == "Polygon" for patch in axes.patches)
    return solid, len(axes.lines) - solid, heads


def test_compelled_and_reversible_edges_differ_without_colour():
    """The kite: three solid arrows and two dashed lines; beside it three solid and two dashed arrows; the legend."""
    kite = explanation(4, [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)], letters(4), Claim.COLLIDER)
    assert kite.label == 0
    assert styles(kite) == (2 * 3 + 1, 2 * 2 + 2, 3 + 5 + 2)


def test_what_follows_needs_no_second_graph():
    collider = explanation(3, [(0, 1), (2, 1)], letters(3), Claim.COLLIDER)
    assert collider.label == 1
    assert styles(collider) == (2 + 1, 0, 2 + 1)


def test_texts_say_what_is_shown():
    kite = explanation(4, [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)], letters(4), Claim.COLLIDER)
    texts = [text.get_text() for text in draw(kite).axes[0].texts]
    assert texts[0].startswith("Hypothesis: There exists at least one collider")
    assert texts[0].endswith("It holds in 0 of 3. Therefore: No.")
    assert "CPDAG of the class (3 graphs)" in texts
    assert all(texts.count(name) == 2 for name in "ABCD")


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("SVG", b"<?xml")])
def test_files_have_the_format_of_their_name_and_the_same_bytes_again(tmp_path, suffix, start):
    found = explanation(5, [(0, 1), (2, 1), (1, 3), (3, 4)], letters(5))
    paths = [tmp_path / f"{k}.{suffix}" for k in range(2)]
    for path in paths:
        plot_explanation(found, path)
    assert paths[0].read_bytes().startswith(start)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_bytes_do_not_depend_on_hashing(tmp_path):
    """A process with another PYTHONHASHSEED writes the same SVG."""
    program = (
        "import sys; from corr2cause.checking.explanation import explain; "
        "from corr2cause.checking.figures import plot_explanation; "
        "plot_explanation(explain(sys.argv[1], sys.argv[2]), sys.argv[3])"
    )
    found = explanation(4, [(0, 1), (2, 1), (1, 3)], letters(4))
    written = []
    for seed in ("1", "2"):
        path = tmp_path / f"{seed}.svg"
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        arguments = [sys.executable, "-c", program, found.premise, found.hypothesis, str(path)]
        subprocess.run(arguments, check=True, env=environment)
        written.append(path.read_bytes())
    assert written[0] == written[1]


def test_other_formats_are_refused(tmp_path):
    with pytest.raises(OptionError, match=r"neither a \.png nor a \.svg"):
        plot_explanation(no_class(), tmp_path / "figure.pdf")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileError, match="there is no folder"):
        plot_explanation(no_class(), tmp_path / "absent" / "figure.png")


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch):
    real_import = builtins.__import__

    def absent(name, *rest, **more):
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return real_import(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(MissingExtraError, match=r'pip install "corr2cause\[plot\]"'):
        plot_explanation(no_class(), tmp_path / "figure.png")


@pytest.mark.parametrize("n", range(2, 9))
def test_moving_a_layout_moves_everything(n):
    layout = circle([str(k) for k in range(n)], lambda text: (0.4, 0.2))
    moved = layout.moved((3.0, 5.0))
    assert moved.corner == (3.0, 5.0)
    for before, after in zip(layout.nodes, moved.nodes, strict=True):
        assert math.isclose(after[0] - before[0], 3 - layout.corner[0])
        assert math.isclose(after[1] - before[1], 5 - layout.corner[1])
    for label in moved.labels:
        assert label.left >= 3 - 1e-9
        assert label.left + label.width <= 3 + moved.width + 1e-9
        assert label.bottom >= 5 - 1e-9
        assert label.bottom + label.height <= 5 + moved.height + 1e-9
