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


def test_damage_to_a_share_is_found(tmp_path):
    def count():
        return call("count", "--n", 5, "--workers", 1, "--scratch", tmp_path / "s", "--json")

    count()
    (share,) = (tmp_path / "s").glob("share-*.arrow")
    whole = share.read_bytes()
    for part in (b"", whole[: len(whole) // 2]):  # what a machine that lost its power may leave: it is made again
        share.write_bytes(part)
        done = count()
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["complete"]
        assert share.read_bytes() == whole
    for place in range(len(whole) // 4, len(whole), len(whole) // 4):
        share.write_bytes(whole[:place] + b"damaged!" + whole[place + 8 :])
        done = count()
        if done.returncode:
            assert done.stderr.startswith(f"Error: {share}: this is damaged; remove it, and it is made again")
        else:
            assert json.loads(done.stdout)["complete"]
    share.write_bytes(whole)
    assert json.loads(count().stdout)["classes"] == 142


def test_missing_classes_are_a_failure(tmp_path, monkeypatch):
    monkeypatch.setattr("corr2cause.graphs.equivalence.LABELLED_CLASSES", [0] * 8)
    done = call("count", "--n", 4)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].endswith("NO")
    assert "classes are missing" in done.stderr


def test_an_empty_address_is_none(tmp_path):
    done = call("count", "--n", 3, "--scheduler", "", "--scratch", tmp_path / "s")
    assert done.returncode == 2
    assert done.stderr == "Error: --scheduler: no Dask scheduler answers at ''; start it, or check the address\n"
    assert not (tmp_path / "s").exists()
