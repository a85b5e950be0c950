"""Label Studio's own SDK accepts the configuration, the tasks and what they come back as."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.spans.annotating.label_studio.exporting import to_tasks
from corr2cause.spans.annotating.label_studio.importing import read_export
from corr2cause.spans.annotating.label_studio.interface import labelling_config
from corr2cause.spans.rows import Row
from tests.spans.annotating.annotations import ANN, BOB
from tests.spans.annotating.test_label_studio import PAIR
from tests.spans.strategies import PASSAGES

pytestmark = pytest.mark.consumers


@pytest.fixture(scope="module")
def interface():
    sdk = pytest.importorskip("label_studio_sdk.label_interface")
    found = sdk.LabelInterface(labelling_config())
    found.validate()
    return found


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(PASSAGES, st.lists(PAIR, max_size=4)), min_size=1, max_size=3))
def test_every_task_is_valid(interface, corpus):
    rows = [Row(str(place), text, tuple(pairs), label=True) for place, (text, pairs) in enumerate(corpus)]
    for task in to_tasks(rows)[0]:
        (prediction,) = task["predictions"]
        assert interface.validate_prediction(prediction, return_errors=True) == []
        assert interface.validate_annotation({"result": prediction["result"]})
        assert interface.validate_task({"data": task["data"]})


@pytest.mark.parametrize(
    "damage",
    [
        lambda result: result[0]["value"].update(labels=["Reason"]),
        lambda result: result[0].update(from_name="spam"),
        lambda result: result[0].update(to_name="spam"),
        lambda result: result[0]["value"].pop("start"),
        lambda result: result[2].update(from_id="nowhere"),
        lambda result: result[-1]["value"].update(choices=["Perhaps"]),
    ],
)
def test_the_sdk_would_notice(interface, damage):
    result = copy.deepcopy(to_tasks(ANN[:1])[0][0]["predictions"][0]["result"])
    damage(result)
    assert not interface.validate_annotation({"result": result})


def test_annotations_of_the_sdk_are_read(interface, tmp_path):
    """Regions that the SDK itself makes of labels, offsets and text."""
    from label_studio_sdk.label_interface.objects import AnnotationValue

    control, text = interface.get_control("span"), BOB[4].sentence
    cause = control.label("Cause", start=0, end=5, text=text[0:5])
    effect = control.label("Effect", start=13, end=19, text=text[13:19])
    result = AnnotationValue(completed_by=3, result=[cause, effect]).model_dump()["result"]
    ends = {"from_id": result[0]["id"], "to_id": result[1]["id"]}
    result.append({"type": "relation", "direction": "right", "labels": ["Explicit", "Intra"], **ends})
    assert interface.validate_annotation({"result": result})
    data = {"row_id": "5", "text": text, "source": "", "unplaced": ""}
    (tmp_path / "export.json").write_text(
        json.dumps([{"data": data, "annotations": [{"completed_by": 3, "result": result}]}])
    )
    found = read_export(tmp_path / "export.json")
    assert found.rows["annotator-3"]["5"].row.pairs == ANN[4].pairs
    assert found.problems == []
