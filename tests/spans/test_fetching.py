"""Fetching from PubMed, against a server of our own on this machine."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from corr2cause.errors import FileError, OptionError
from corr2cause.spans.pubmed import fetching
from corr2cause.spans.pubmed.entrez import API_KEY, Entrez
from corr2cause.spans.pubmed.fetching import Fetched, Query, fetch
from corr2cause.spans.pubmed.records import read_abstracts, xml_files
from tests.spans.pubmed_files import FakePubMed, served

START = date(2025, 1, 15)
QUERY = Query("causality", date(2025, 1, 10), date(2025, 3, 5))


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    monkeypatch.delenv(API_KEY, raising=False)


def pubmed(n: int = 40, step: int = 1) -> FakePubMed:
    return FakePubMed({str(100 + k): START + timedelta(days=k * step) for k in range(n)})


def client(url: str, key: str | None = None) -> tuple[Entrez, list[float]]:
    """Return a client that does not wait, and what it would have waited."""
    waits: list[float] = []
    return Entrez(url, key, waits.append, lambda: 0.0), waits


def run(server: FakePubMed, folder: Path, query: Query = QUERY) -> Fetched:
    with served(server.answer) as url:
        return fetch(query, folder, client(url)[0])


def pmids(folder: Path) -> list[str]:
    return [one.pmid for file in xml_files(folder) for one in read_abstracts(file)]


def test_all_records_come_month_by_month(tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "_AT_ONCE", 7)
    server = pubmed()
    assert run(server, tmp_path) == Fetched(40, 40, 3 + 4)
    assert sorted(pmids(tmp_path)) == sorted(server.dates)
    searches = [fields for fields in server.asked if fields["utility"] == "esearch.fcgi"]
    assert [(one["mindate"], one["maxdate"]) for one in searches] == [
        ("2025/01/10", "2025/01/31"),
        ("2025/02/01", "2025/02/28"),
        ("2025/03/01", "2025/03/05"),
    ]
    assert {(one["term"], one["datetype"], one["db"], one["tool"]) for one in searches} == {
        ("causality", "pdat", "pubmed", "corr2cause")
    }
    done = json.loads((tmp_path / "fetched.json").read_text())
    assert done["found"] == done["received"] == 40
    assert [one["found"] for one in done["slices"]] == [17, 23, 0]


def test_a_record_that_is_found_in_every_month_is_fetched_once(tmp_path):
    server = pubmed(30)
    server.dates["7"] = None
    assert run(server, tmp_path).found == 31
    assert sorted(server.fetched()) == sorted(server.dates)


def test_a_month_with_too_many_records_is_halved(tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "MOST_IDS", 5)
    server = pubmed(20)
    server.most = 5
    assert run(server, tmp_path).received == 20
    assert sorted(pmids(tmp_path)) == sorted(server.dates)


def test_a_day_with_too_many_records_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "MOST_IDS", 5)
    with pytest.raises(OptionError, match="2025-01-15 has 6 records, and PubMed gives 5; narrow it"):
        run(pubmed(6, step=0), tmp_path)


def test_a_stopped_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "_AT_ONCE", 10)
    server = pubmed()

    def stop(number: int) -> None:
        raise KeyboardInterrupt

    with served(server.answer) as url:
        with pytest.raises(KeyboardInterrupt):
            fetch(QUERY, tmp_path, client(url)[0], stop)
        assert len(server.fetched()) == 10
        assert not (tmp_path / "fetched.json").exists()
        assert fetch(QUERY, tmp_path, client(url)[0]).received == 40
        asked = len(server.asked)
        assert fetch(QUERY, tmp_path, client(url)[0]).received == 40
    assert sorted(server.fetched()) == sorted(server.dates), "nothing was fetched twice"
    assert len(server.asked) == asked, "a finished folder asks for nothing"


def test_a_folder_belongs_to_one_query(tmp_path):
    run(pubmed(1), tmp_path)
    with pytest.raises(FileError, match="this folder holds another query"):
        run(pubmed(1), tmp_path, Query("cause", QUERY.begin, QUERY.end))


@pytest.mark.parametrize(
    "mishaps",
    [
        [(429, b"")],
        [(500, b""), (503, b"busy")],
        [(200, b'{"error": "API rate limit exceeded"}')],
        [(200, b'{"esearchresult": {"ERROR": "Search Backend failed"}}'), (200, b"<html>")],
    ],
)
def test_a_busy_server_is_asked_again(tmp_path, mishaps):
    server = pubmed(3)
    server.mishaps = list(mishaps)
    assert run(server, tmp_path).received == 3


def test_an_answer_that_is_cut_off_is_asked_again(tmp_path):
    server = pubmed(3)
    answer = server.answer
    damaged = []

    def cut(name: str, fields: dict[str, str]) -> tuple[int, bytes]:
        status, data = answer(name, fields)
        if name == "efetch.fcgi" and not damaged:
            damaged.append(name)
            return status, data[:-40]
        return status, data

    with served(cut) as url:
        assert fetch(QUERY, tmp_path, client(url)[0]).received == 3
    assert damaged


def test_a_server_that_stays_busy_is_told_and_the_waits_grow(tmp_path):
    server = pubmed(3)
    server.mishaps = [(503, b"")] * 9
    with served(server.answer) as url:
        entrez, waits = client(url)
        with pytest.raises(FileError, match=r"no answer after 5 attempts \(the server answered 503\); check"):
            fetch(QUERY, tmp_path, entrez)
    assert [wait for wait in waits if wait >= 1] == [1.0, 4.0, 15.0, 60.0]


def test_a_wrong_question_is_told_at_once_and_no_message_or_file_holds_the_key(tmp_path, monkeypatch):
    monkeypatch.setenv(API_KEY, "secret")
    server = pubmed(3)
    server.mishaps = [(400, b"bad key: secret")]
    with served(server.answer) as url:
        with pytest.raises(FileError, match="the server answered 400; check the query and the key") as raised:
            fetch(QUERY, tmp_path, client(url)[0])
        fetch(QUERY, tmp_path, client(url)[0])
    assert {fields["api_key"] for fields in server.asked} == {"secret"}
    assert "secret" not in str(raised.value)
    assert not any(b"secret" in path.read_bytes() for path in tmp_path.iterdir())


def test_nobody_there_is_told(tmp_path):
    with served(pubmed(0).answer) as url:
        pass
    with pytest.raises(FileError, match="no answer after 5 attempts"):
        fetch(QUERY, tmp_path, client(url)[0])


@pytest.mark.parametrize(("key", "most"), [("", 3), ("k", 10)])
def test_requests_are_no_faster_than_allowed(key, most):
    now = [0.0]
    server = pubmed(3)

    def sleep(seconds: float) -> None:
        now[0] += seconds

    times = []
    with served(lambda name, fields: (times.append(now[0]), server.answer(name, fields))[1]) as url:
        entrez = Entrez(url, key, sleep, lambda: now[0])
        for _ in range(25):
            entrez.search("x", "2025/01/01", "2025/01/02", "pdat")
    for start in times:
        assert sum(start <= time < start + 1 for time in times) <= most


def test_records_that_the_server_does_not_send_are_seen(tmp_path):
    server = pubmed(3)
    answer = server.answer
    with served(lambda name, fields: answer(name, {**fields, "id": fields.get("id", "").rsplit(",", 1)[0]})) as url:
        done = fetch(QUERY, tmp_path, client(url)[0])
    assert (done.found, done.received) == (3, 2)


def test_a_damaged_list_of_ids_is_told(tmp_path):
    run(pubmed(3), tmp_path)
    (tmp_path / "2025-01-10_2025-01-31.ids.json").write_text('[1, "../x"]')
    with pytest.raises(FileError, match="this is damaged; delete it"):
        run(pubmed(3), tmp_path)


def test_queries_and_addresses_that_make_no_sense_are_refused():
    with pytest.raises(OptionError, match="it is blank"):
        Query(" ", START, START)
    with pytest.raises(OptionError, match="2025-01-14 is before --from 2025-01-15"):
        Query("x", START, START - timedelta(days=1))
    with pytest.raises(OptionError, match="is no address"):
        Entrez("file:///etc")
    assert Query("a OR b", START, START, free=True).whole_term == "(a OR b) AND free full text[sb]"
    assert list(Query("x", date(2024, 12, 31), date(2025, 1, 1)).months) == [
        (date(2024, 12, 31), date(2024, 12, 31)),
        (date(2025, 1, 1), date(2025, 1, 1)),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        b'<?xml version="1.0"?><eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>',
        b"<html><body>Sign in</body></html>",
        b'<!DOCTYPE x [<!ENTITY a "aa">]><PubmedArticleSet>&a;</PubmedArticleSet>',
    ],
)
def test_an_answer_without_a_set_of_records_is_never_kept_for_one(tmp_path, wrong):
    server = pubmed(3)
    answer = server.answer

    def deceive(name: str, fields: dict[str, str]) -> tuple[int, bytes]:
        return (200, wrong) if name == "efetch.fcgi" else answer(name, fields)

    told = pytest.raises(FileError, match="no answer after 5 attempts \\(an answer that")
    with served(deceive) as url, told:
        fetch(QUERY, tmp_path, client(url)[0])
    assert not list(tmp_path.glob("*.xml.gz"))
    assert run(server, tmp_path).received == 3


def test_a_count_that_is_no_number_is_told(tmp_path):
    server = pubmed(3)
    server.mishaps = [(200, b'{"esearchresult": {"count": 1e999, "idlist": []}}')] * 5
    with pytest.raises(FileError, match="an answer that is no list of ids"):
        run(server, tmp_path)


def test_an_id_that_an_answer_names_twice_is_fetched_once(tmp_path):
    server = pubmed(3)
    found = json.dumps({"esearchresult": {"count": "3", "idlist": ["100", "100", "101"]}}).encode()
    server.mishaps = [(200, found)]
    assert run(server, tmp_path).found == 2
    assert sorted(server.fetched()) == ["100", "101"]


def test_the_last_days_of_all_can_be_asked_for():
    days = Query("x", date(9999, 11, 30), date.max).months
    assert list(days) == [(date(9999, 11, 30),) * 2, (date(9999, 12, 1), date.max)]
