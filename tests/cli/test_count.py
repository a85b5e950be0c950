"""`corr2cause count`: counts, proof, and a folder from which it goes on."""

from __future__ import annotations

import json

from tests.cli.running import call


def test_counts_and_proof():
    done = call("count", "--n", 5, "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found.pop("seconds") > 0
    assert found == {
        "n": 5,
        "dags": 302,
        "edges": 1778,
        "classes": 142,
        "labelled_classes": 8782,
        "known_labelled_classes": 8782,
        "complete": True,
    }
    table = call("count", "--n", 5).stdout.splitlines()
    assert table[-1].split() == ["5", "302", "5.89", "142", "2.13", "8,782", "8,782", "yes"]


def test_a_named_folder_is_kept(tmp_path):
    first = call("count", "--n", 6, "--scratch", tmp_path / "s", "--json")
    assert list((tmp_path / "s").glob("share-*.arrow"))
    again = call("count", "--n", 6, "--scratch", tmp_path / "s", "--json")
    assert json.loads(first.stdout)["classes"] == json.loads(again.stdout)["classes"] == 2201


def test_a_cluster_needs_a_folder():
    done = call("count", "--n", 3, "--scheduler", "tcp://127.0.0.1:9")
    assert done.returncode == 2
    assert "--scratch: a cluster needs a folder that all its workers share" in done.stderr
