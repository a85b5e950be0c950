"""Rows to Label Studio and back: what a span's place can carry comes back as it was, all else is told."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.errors import FileError, RowError
from corr2cause.spans.annotating.label_studio.exporting import to_tasks
from corr2cause.spans.annotating.label_studio.importing import PREDICTIONS, read_export
from corr2cause.spans.annotating.label_studio.interface import labelling_config
from corr2cause.spans.annotating.label_studio.regions import result_of
from corr2cause.spans.rows import Pair, Row
from tests.spans.annotating.annotations import ANN, BOB
from tests.spans.strategies import PASSAGES, SPANS

TEXT = "Rain causes floods. Floods cause harm"
HALF = st.sampled_from(["", " "])
PAIR = st.builds(
    Pair,
    SPANS | HALF,
    SPANS | HALF,
    st.sampled_from(["Explicit", "Implicit", "", "explicit"]),
    st.sampled_from(["Intra", "Inter", "", "Intra "]),
)


def written(folder, tasks):
    path = folder / "tasks.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


@given(st.lists(st.tuples(PASSAGES, st.lists(PAIR, max_size=4)), min_size=1, max_size=3))
@settings(max_examples=120, deadline=None)
def test_pairs_come_back_as_far_as_spans_align_and_the_rest_is_told(tmp_path_factory, corpus):
    rows = [Row(str(n), text, tuple(pairs), source="s") for n, (text, pairs) in enumerate(corpus) if pairs]
    if not rows:
        return
    tasks, unplaced = to_tasks(rows)
    back = read_export(written(tmp_path_factory.mktemp("tasks"), tasks), "predictions").rows[PREDICTIONS]
    for row in rows:
        told = Counter(one.pair for one in unplaced if one.row == row.id)
        changed = sum(one.is_shown for one in unplaced if one.row == row.id)
        sent, came = Counter(row.pairs), Counter(back[row.id].row.pairs)
        kept = sent - told
        blank = Counter(
            {Pair(p.cause.strip(), p.effect.strip(), p.causality, p.sententiality): n for p, n in kept.items()}
        )
        assert not told - sent  # only pairs of the row are told
        assert not blank - came  # what was not told is there, word for word
        assert (came - blank).total() == changed  # and so are those that are marked in other words, nothing else
        assert (back[row.id].row.sentence, back[row.id].row.source) == (row.sentence, "s")
        for one in unplaced:
            if one.row == row.id and not one.is_shown:
                assert one.problem in next(
                    task["data"]["unplaced"] for task in tasks if task["data"]["row_id"] == row.id
                )


def test_verbatim_rows_come_back_whole(tmp_path):
    rows = [*ANN[:4], ANN[5]]
    tasks, unplaced = to_tasks(rows)
    assert unplaced == []
    found = read_export(written(tmp_path, tasks), "predictions").rows[PREDICTIONS]
    assert [found[row.id].row.pairs for row in rows] == [row.pairs for row in rows]
    assert [found[row.id].row.label for row in rows] == [True, True, False, True, True]


def test_rows_that_nobody_annotated_have_no_prediction():
    (task,), _ = to_tasks([Row("1", TEXT)])
    assert task == {"data": {"row_id": "1", "text": TEXT, "source": "", "unplaced": ""}}


def test_what_is_told_of_pairs_that_are_not_marked_as_written():
    pairs = (
        Pair("rain", "floods", "Explicit", "Intra"),
        Pair("snow", "floods", "Explicit", "Intra"),
        Pair("Rain", "harm", "explicit", "Inter"),
        Pair("Rain", "", "", ""),
        Pair("", "harm", "Explicit", ""),
        Pair(" ", "", "", ""),
        Pair("harm", "", "", ""),
        Pair(" Rain", "harm", "Explicit", "Inter"),
    )
    tasks, unplaced = to_tasks([Row("1", TEXT, pairs)])
    assert [(one.pair, one.problem, one.is_shown) for one in unplaced] == [
        (pairs[0], "cause is casefold", True),
        (pairs[1], "cause not found in the text", False),
        (pairs[2], "'explicit' is no label", True),
        (pairs[7], "cause has white space around it", True),
        (pairs[3], "the cause is marked for another pair, and the other side is blank", False),
        (pairs[4], "the effect is marked for another pair, and the other side is blank", False),
        (pairs[5], "both sides are blank", False),
    ]
    assert tasks[0]["data"]["unplaced"].startswith(
        "Not marked: snow -> floods (cause not found in the text); Rain -> ?"
    )


def region(name: str | None, label: str, words: str, within: str = TEXT, **changes: Any) -> dict[str, Any]:
    start = within.index(words)
    value = {"start": start, "end": start + len(words), "text": words, "labels": [label]} | changes
    return {"id": name, "from_name": "span", "to_name": "text", "type": "labels", "value": value}


def relation(start: str, end: str, *labels: str, direction: str = "right") -> dict[str, Any]:
    return {"type": "relation", "from_id": start, "to_id": end, "direction": direction, "labels": list(labels)}


RAIN, FLOODS, AGAIN, HARM = (
    region("a", "Cause", "Rain"), region("b", "Effect", "floods"), region("c", "Effect", "Floods"),
    region("d", "Effect", "harm"),
)  # fmt: skip


def test_labels_of_regions_tell_cause_and_effect_whatever_way_the_relation_was_drawn():
    wanted = (Pair("Rain", "floods", "Explicit", "Intra"),)
    for drawn in (("a", "b", "right"), ("b", "a", "right"), ("a", "b", "left"), ("a", "b", "bi")):
        one = relation(*drawn[:2], "Intra", "Explicit", direction=drawn[2])
        assert result_of([RAIN, FLOODS, one], TEXT).pairs == wanted


def test_between_two_effects_the_direction_decides():
    assert result_of([AGAIN, HARM, relation("c", "d")], TEXT).pairs == (Pair("Floods", "harm"),)
    assert result_of([AGAIN, HARM, relation("c", "d", direction="left")], TEXT).pairs == (Pair("harm", "Floods"),)
    found = result_of([AGAIN, HARM, relation("c", "d", direction="bi")], TEXT)
    assert found.pairs == (Pair("", "Floods"), Pair("", "harm"))
    assert "does not say which end is the cause" in found.problems[0]


def test_what_an_annotator_forgot_becomes_half_a_pair_and_is_told():
    found = result_of([RAIN, FLOODS, HARM, relation("a", "b", "Explicit")], TEXT)
    assert found.pairs == (Pair("Rain", "floods", "Explicit", ""), Pair("", "harm"))
    assert found.problems == ("'harm' is in no relation; it became half a pair",)


def test_labels_that_contradict_each_other_or_are_unknown():
    found = result_of([RAIN, FLOODS, relation("a", "b", "Explicit", "Implicit", "Maybe")], TEXT)
    assert found.pairs == (Pair("Rain", "floods"),)
    assert found.problems == (
        "'Rain' -> 'floods' is Explicit and Implicit; it was left without that label",
        "'Rain' -> 'floods' has the unknown label 'Maybe'",
    )


def test_ends_and_regions_that_are_none():
    found = result_of([RAIN, relation("a", "zzz"), region("e", "Other", "harm")], TEXT)
    assert found.pairs == (Pair("Rain", ""),)
    assert len(found.problems) == 3


def test_places_that_were_counted_as_javascript_does_or_that_are_wrong():
    text = "💧 Rain falls"
    one = region("a", "Cause", "Rain", text, start=3, end=7)  # 💧 is two units of UTF-16
    assert result_of([one], text).problems == ("'Rain' is in no relation; it became half a pair",)
    found = result_of([region("a", "Cause", "Rain", text, start=0, end=3)], text)
    assert found.pairs == (Pair("Rain", ""),)
    assert found.problems[0] == "a region says 'Rain', and '💧 R' stands there; the former was taken"


def task(row: Row = ANN[0], **annotation: Any) -> dict[str, Any]:
    (found,), _ = to_tasks([row])
    result = found.pop("predictions")[0]["result"]
    return found | {"id": 5, "annotations": [{"id": 1, "completed_by": 7, "result": result} | annotation]}


def test_annotators_times_and_skipped_tasks(tmp_path):
    tasks = [
        task(lead_time=12.5, updated_at="2025-05-01T10:00:00Z"),
        task(ANN[1], completed_by={"id": 3, "email": "bob@example.org"}),
        task(ANN[2], was_cancelled=True),
    ]
    found = read_export(written(tmp_path, tasks))
    assert {name: list(rows) for name, rows in found.rows.items()} == {"annotator-7": ["1"], "bob@example.org": ["2"]}
    assert (found.n_tasks, found.n_open, found.n_skipped) == (3, 1, 1)
    record = found.rows["annotator-7"]["1"].to_record()
    assert (record["seconds"], record["annotated_at"], record["label"]) == (12.5, "2025-05-01T10:00:00Z", 1)
    assert "seconds" not in found.rows["bob@example.org"]["2"].to_record()


def test_of_two_annotations_by_one_person_the_later_counts(tmp_path):
    one, other = task(ANN[0], updated_at="2025-05-02"), task(BOB[0], updated_at="2025-05-01")
    one["annotations"] += other["annotations"]
    found = read_export(written(tmp_path, [one]))
    assert found.rows["annotator-7"]["1"].row.pairs == ANN[0].pairs
    assert found.problems == ["row 1: annotator-7 annotated it more than once; what was changed last counts"]


def test_without_a_verdict_the_pairs_decide(tmp_path):
    tasks = [task(result=[RAIN, FLOODS, relation("a", "b")]), task(ANN[1], result=[])]
    rows = read_export(written(tmp_path, tasks)).rows["annotator-7"]
    assert [rows[name].row.label for name in ("1", "2")] == [True, False]


@pytest.mark.parametrize(
    ("content", "kind", "problem"),
    [
        ({}, FileError, "expected a list of tasks"),
        ([], FileError, "expected a list of tasks"),
        ([{"text": "x"}], RowError, ":1: a task is .* Export as JSON, not as JSON-MIN"),
        ([{"data": {"text": "x"}}], RowError, "row_id"),
        ([{"data": {"text": "x", "row_id": "1"}, "annotations": [3]}], RowError, "expected a list of objects"),
        ([task(result=[region("a", "Cause", "Rain", start=-1)])], RowError, "expected numbers start and end"),
        ([task(result=[region("a", "Cause", "Rain", labels="Cause")])], RowError, "expected a list of labels"),
        ([task(result=[region("a", "Cause", "Rain", text="\ud800")])], RowError, "half a character"),
        ([task(updated_at="\ud800")], RowError, "half a character"),
        ([task(result=[{"type": "labels", "id": "a"}])], RowError, "expected an object under value"),
        ([task(result=[region(None, "Cause", "Rain")])], RowError, "id of a region or relation is None"),
        ([task(result=[RAIN, FLOODS, relation("a", "b") | {"labels": 3}])], RowError, "labels of a relation"),
        ([task(result=[{"type": "choices", "from_name": "x", "value": {"choices": [[1]]}}])], RowError, "choices are"),
    ],
)
def test_damaged_exports(tmp_path, content, kind, problem):
    with pytest.raises(kind, match=problem):
        read_export(written(tmp_path, content))


def test_the_configuration_names_what_tasks_use():
    root = ElementTree.fromstring(labelling_config())
    assert [label.get("value") for label in root.iter("Label")] == ["Cause", "Effect"]
    assert [one.get("value") for one in root.iter("Relation")] == ["Explicit", "Implicit", "Intra", "Inter"]
    assert {one.get("value") for one in root.iter("Text")} == {"$text"}
