"""A URL is a place for `generate` alone; elsewhere it must not become a folder of that name."""

from __future__ import annotations

import pytest

from tests.cli.running import run


@pytest.mark.parametrize(
    "command",
    [
        ("stats",),
        ("verify",),
        ("prompts", "--out"),
        ("export", "--to", "nli", "--out"),
        ("count", "--n", "3", "--scratch"),
    ],
)
def test_a_url_is_refused_and_nothing_is_made(tmp_path, command):
    done = run(*command, "s3://bucket/data", cwd=tmp_path)
    assert done.returncode == 2
    assert "s3://bucket/data is a URL; name a file or a folder of this machine" in done.stderr
    assert list(tmp_path.iterdir()) == []
