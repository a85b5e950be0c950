"""The page for adjudicators: it shows everything as text, and answers nobody but its own pages in one browser."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import pytest

from corr2cause.errors import OptionError
from corr2cause.spans.annotating.comparing import compare_rows
from corr2cause.spans.annotating.decisions import Action, Decision, states
from corr2cause.spans.annotating.page.app import create_app
from corr2cause.spans.annotating.page.guards import HEADERS
from corr2cause.spans.annotating.page.marking import passage, tokens
from corr2cause.spans.annotating.page.server import serve
from corr2cause.spans.annotating.store import Store
from corr2cause.spans.rows import Pair
from tests.cli.running import COMMAND, environment
from tests.spans.annotating.annotations import doubled, store

TOKEN, PORT = "the-token", 8765
HOST = f"127.0.0.1:{PORT}"
EVIL = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>&amp; {{ 7919 * 7919 }}"


class Client:
    """A browser that was let in."""

    def __init__(self, store: Store, admitted: bool = True) -> None:
        self.client = create_app(store, "eve", TOKEN, PORT).test_client()
        self.client.application.testing = True
        if admitted:
            assert self.get(f"/?token={TOKEN}").status_code == 303

    def get(self, path: str, **headers: str):
        return self.client.get(path, base_url=f"http://{HOST}", headers=headers)

    def post(self, path: str, headers: dict[str, str] | None = None, **form: object):
        fields = {"token": TOKEN, "seen": 0, "item": 0} | form
        sent = {"Origin": f"http://{HOST}"} if headers is None else headers
        return self.client.post(path, base_url=f"http://{HOST}", data=fields, headers=sent)


@pytest.fixture
def ours(tmp_path) -> Store:
    return store(tmp_path)


@pytest.fixture
def client(ours) -> Client:
    return Client(ours)


def text_of(page) -> str:
    return page.get_data(as_text=True)


def test_the_queue_lists_what_is_in_dispute(client):
    page = text_of(client.get("/"))
    assert re.findall(r'<td><a href="/row/(\d)">', page) == ["0", "1", "3", "5"]
    assert "0 of 4 rows settled" in page
    assert 'id="continue" href="/row/0"' in page


def test_a_row_shows_both_versions_and_marks_what_differs(client):
    page = text_of(client.get("/row/0"))
    assert "<mark>Chronic</mark>" in page
    assert re.findall(r"<mark>(Implicit|Explicit)</mark>", page) == ["Implicit", "Explicit"]
    assert re.findall(r'name="action" value="([a-z0-9-]+)"', page) == [
        "accept-1", "accept-2", "accept-both", "edit", "drop", "accept-1", "accept-2", "accept-both", "edit", "drop",
        "accept-2", "edit", "drop", "add",
    ]  # fmt: skip


def test_a_row_shows_what_breaks_a_rule(client):
    assert re.findall('class="note">(.+)</p>', text_of(client.get("/row/1"))) == [
        "the spans stand in different sentences; is it Inter?"
    ]
    assert "presents the link as uncertain" in text_of(client.get("/row/3"))
    assert 'class="note"' not in text_of(client.get("/row/4"))


def test_every_decision_is_saved_and_leads_to_what_is_open_next(client, ours):
    assert client.post("/row/0", action="accept-1").location == "/row/0#item-1"
    edited = {"cause": " sleep  loss ", "effect": "x", "causality": "Explicit", "sententiality": "Intra"}
    assert client.post("/row/0", action="edit", item=1, seen=1, **edited).location == "/row/0#item-2"
    assert client.post("/row/0", action="drop", item=2, seen=2, reason="vague span").location == "/row/1?after=0"
    log = Store(ours.path).log()
    assert [(one.author, str(one.decision.action)) for one in log] == [
        ("eve", "accept-1"),
        ("eve", "edit"),
        ("eve", "drop"),
    ]
    assert log[1].decision.pair == Pair("sleep loss", "x", "Explicit", "Intra")
    assert "1 of 4 rows settled" in text_of(client.get("/"))
    assert 'href="/row/0">Back to it' in text_of(client.get("/row/1?after=0"))
    assert client.post("/row/0", action="reopen", item=2, seen=3).location == "/row/0#item-2"
    added = client.post("/row/1", action="add", item=1, **edited)
    assert added.location == "/row/1#item-1"


def test_the_next_open_item_is_the_one_below_and_after_the_last_the_first(client):
    assert client.post("/row/0", action="accept-1", item=1).location == "/row/0#item-2"
    assert client.post("/row/0", action="accept-2", item=2, seen=1).location == "/row/0#item-0"


def test_after_the_last_row_comes_the_queue(client):
    for place, items in ((0, 3), (1, 1), (3, 1)):
        for item in range(items):
            action = "accept-2" if (place, item) == (0, 2) else "accept-1"
            seen = json.loads(re.search(r'name="seen" value="(\d+)"', text_of(client.get(f"/row/{place}")))[1])
            client.post(f"/row/{place}", action=action, item=item, seen=seen)
    assert client.post("/row/5", action="accept-2").location == "/?show=all"
    assert "Every row is settled." in text_of(client.get("/"))
    assert "No rows here." in text_of(client.get("/"))
    assert re.findall(r'<td><a href="/row/(\d)">', text_of(client.get("/?show=settled"))) == ["0", "1", "3", "5"]


def test_what_makes_no_sense_is_said_and_what_was_typed_stays(client, ours):
    page = client.post(
        "/row/0", action="edit", cause="typed before", effect="", causality="Explicit", sententiality="Intra"
    )
    assert page.status_code == 400
    assert "cause and effect must both be given" in text_of(page)
    assert 'value="typed before"' in text_of(page)
    for form, problem in (
        ({"action": "burn"}, "there is no such action"),
        ({"action": "drop"}, "only with a reason"),
        ({"action": "accept-1", "item": 99}, "no item 99"),
        ({"action": "accept-1", "item": "x"}, "no item -1"),
    ):
        page = client.post("/row/0", **form)
        assert page.status_code == 400
        assert problem in text_of(page)
    assert client.post("/row/77", action="accept-1").status_code == 404
    assert client.get("/row/77").status_code == 404
    assert ours.log() == []


def test_who_looks_at_an_old_page_decides_nothing(client, ours):
    ours.decide(Decision("1", 0, Action.SECOND), "adam")
    for seen in (0, "", "x"):
        page = client.post("/row/0", action="accept-1", seen=seen)
        assert page.status_code == 409
        assert "decided on meanwhile" in text_of(page)
    assert len(ours.log()) == 1


def test_a_file_that_is_gone_is_said_not_to_have_saved(tmp_path):
    (tmp_path / "<b>bold").mkdir()
    ours = store(tmp_path / "<b>bold")
    client = Client(ours)
    ours.path.unlink()
    page = client.post("/row/0", action="accept-1")
    assert page.status_code == 500
    assert "Nothing was saved" in text_of(page)
    assert "&lt;b&gt;bold" in text_of(page)
    assert "<b>bold" not in text_of(page)


class Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses |= {value for name, value in attrs if name in ("src", "href", "action")}


def test_every_text_is_shown_as_text(tmp_path):
    """Texts, spans, labels, reasons, names and ids that are HTML: no page gains a tag or an attribute from them."""
    evil = Pair(EVIL, f"{EVIL} too", EVIL, EVIL)
    rows = [
        one._replace(
            first=EVIL,
            ours=replace(one.ours, id=f"{EVIL}{one.ours.id}", sentence=EVIL, pairs=(evil,), source=EVIL),
            theirs=replace(one.theirs, id=f"{EVIL}{one.ours.id}", sentence=EVIL, pairs=(), label=False),
        )
        for one in doubled()
    ]
    (tmp_path / "plain").mkdir()
    plain, attacked = store(tmp_path / "plain"), store(tmp_path, compare_rows(rows))
    pages = []
    for one in (plain, attacked):
        client = Client(one)
        problem = client.post("/row/0", action=EVIL)
        client.post("/row/0", action="drop", reason=EVIL)
        edit = {"cause": EVIL, "effect": EVIL, "causality": "Explicit", "sententiality": "Intra", "reason": EVIL}
        client.post("/row/1", action="edit", **edit)
        client.post("/row/1", action="add", item=1, seen=2, **edit)
        paths = ("/", "/?show=all", f"/?show={EVIL}", "/row/0", "/row/1", f"/row/{EVIL}")
        pages.append([text_of(page) for page in (problem, *(client.get(path) for path in paths))])
    for before, after in zip(*pages, strict=True):
        assert "<script>alert" not in after
        assert "<img" not in after
        assert str(7919 * 7919) not in after  # no template within a text is run
        assert Tags(after).names <= Tags(before).names | {
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "ol",
            "li",
            "time",
        }
        assert not any(name.startswith("on") for name in Tags(after).attributes)
    assert any("&lt;script&gt;alert" in page for page in pages[1])


def test_nothing_is_loaded_from_elsewhere(client):
    for path in ("/", "/row/0"):
        assert all(address.startswith(("/", "?", "#")) for address in Tags(text_of(client.get(path))).addresses)
    for name in ("page.css", "page.js"):
        page = client.get(f"/static/{name}")
        assert page.status_code == 200
        assert not re.search(r"https?://|@import|url\(", text_of(page))


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", f"0.0.0.0:{PORT}"]
)
def test_a_request_under_another_name_is_refused(client, ours, host):
    """A site can point its own name at this machine (DNS rebinding)."""
    assert client.get("/", Host=host).status_code == 403
    page = client.post("/row/0", {"Host": host, "Origin": f"http://{host}"}, action="accept-1")
    assert page.status_code == 403
    assert ours.log() == []


def test_localhost_is_our_name_too(ours):
    client = Client(ours).client
    base = f"http://localhost:{PORT}"
    assert client.get(f"/?token={TOKEN}", base_url=base).status_code == 303
    assert client.get("/", base_url=base).status_code == 200


@pytest.mark.parametrize(
    "headers", [{}, {"Origin": "null"}, {"Origin": "http://evil.example"}, {"Origin": f"https://{HOST}"}]
)
def test_a_change_from_another_site_is_refused(client, ours, headers):
    assert client.post("/row/0", headers, action="accept-1").status_code == 403
    assert ours.log() == []


def test_without_the_token_nothing_is_shown_or_changed(ours):
    stranger = Client(ours, admitted=False)
    paths = ("/", "/row/0", "/corpus.json", "/log.jsonl", "/static/page.js", "/?token=wrong", "/?token=", "/nothing")
    for page in map(stranger.get, paths):
        assert page.status_code == 403
        assert TOKEN not in text_of(page)
        assert "sleep" not in text_of(page)
    assert stranger.post("/row/0", action="accept-1").status_code == 403
    known = Client(ours)
    for token in ("", "wrong", "ü"):
        assert known.post("/row/0", action="accept-1", token=token).status_code == 403
    assert ours.log() == []


def test_the_cookie_and_the_headers(ours):
    client = Client(ours, admitted=False)
    answer = client.get(f"/?token={TOKEN}")
    assert answer.location == "/"  # the token leaves the address bar
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    for page in (answer, client.get("/"), client.get("/nothing"), client.get("/", Host="evil.example")):
        assert HEADERS.items() <= dict(page.headers).items()


def test_long_requests_are_refused(client, ours):
    assert client.post("/row/0", action="drop", reason="x" * (1 << 21)).status_code == 413
    assert ours.log() == []


def test_downloads(client, ours):
    client.post("/row/1", action="accept-2")
    corpus = client.get("/corpus.json")
    assert "attachment" in corpus.headers["Content-Disposition"]
    assert [row["s/n"] for row in json.loads(text_of(corpus))] == [2, 5]
    (line,) = text_of(client.get("/log.jsonl")).splitlines()
    assert json.loads(line)["second"]["sententiality"] == "Intra"


def test_long_queues_have_pages(tmp_path):
    rows = [
        one._replace(
            ours=replace(one.ours, id=f"{n}-{one.ours.id}"), theirs=replace(one.theirs, id=f"{n}-{one.ours.id}")
        )
        for n in range(30)
        for one in doubled()
    ]
    client = Client(store(tmp_path, compare_rows(rows)))
    pages = [text_of(client.get(f"/?page={page}")) for page in (1, 2, 3, 99, "x")]
    assert [page.count("<td><a") for page in pages] == [50, 50, 20, 20, 50]
    assert "page 2 of 3" in pages[1]


def test_the_passage_is_whole_and_spans_stand_where_they_are_found():
    row = compare_rows(doubled())[1]
    sentences = passage(row.first.sentence, states(row, ()))
    assert ["".join(piece.text for piece in pieces) for pieces in sentences] == [
        "Heavy rain fell for weeks.", "The river rose and flooded both villages",
    ]  # fmt: skip
    assert [(piece.text, piece.spans) for piece in sentences[0]] == [
        ("Heavy rain", "0-1-cause 0-2-cause"), (" fell for weeks.", ""),
    ]  # fmt: skip


def test_pieces_end_where_a_span_begins():
    row = compare_rows(doubled())[0]
    pieces = passage(row.first.sentence, states(row, ()))[0]
    assert [(piece.text, piece.spans) for piece in pieces[:5]] == [
        ("Chronic ", "0-1-cause 1-1-cause 1-2-cause"),
        ("sleep loss", "0-1-cause 0-2-cause 1-1-cause 1-2-cause"),
        (" leads to ", ""),
        ("raised blood pressure", "0-1-effect 0-2-effect"),
        (" and ", ""),
    ]


def test_tokens_differ_as_s_compares_them():
    found = tokens("The severe frost the", "frost THE ice")
    assert [(one.text, one.differs) for one in found] == [
        ("The", False),
        ("severe", True),
        ("frost", False),
        ("the", False),
    ]
    assert not any(one.differs for one in tokens("anything", None))


def test_a_port_that_is_taken(ours):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(OptionError, match="--port"):
            serve(ours, "eve", taken.getsockname()[1], lambda address: None)


def test_a_server_that_is_killed_between_two_clicks_loses_nothing(ours):
    """Kill -9 right after each answer, and start anew: every decision that was confirmed is in the file."""
    for number in range(3):
        command = [*COMMAND, "spans", "adjudicate", "--db", str(ours.path), "--author", "eve"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(PYTHONUNBUFFERED="1"))
        try:
            address = urlsplit(re.search(r"http\S+", server.stdout.readline())[0])
            assert address.hostname == "127.0.0.1"
            token = address.query.removeprefix("token=")
            cookie = f"adjudicate-{address.port}={token}"
            headers = {"Origin": f"http://{address.netloc}", "Cookie": cookie}
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            form = {"token": token, "seen": number, "item": number, "action": "drop", "reason": f"reason {number}"}
            connection = HTTPConnection(address.hostname, address.port, timeout=30)
            connection.request("POST", "/row/0", urlencode(form), headers)
            assert connection.getresponse().status == 303
            os.kill(server.pid, signal.SIGKILL)
        finally:
            server.kill()
            server.wait()
            server.stdout.close()
        assert [one.decision.reason for one in Store(ours.path).log()] == [f"reason {n}" for n in range(number + 1)]


def test_without_flask_the_extra_is_named(ours):
    code = "import sys; sys.modules['flask'] = None; from corr2cause.cli import main; main()"
    command = [sys.executable, "-c", code, "spans", "adjudicate", "--db", str(ours.path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert 'pip install "corr2cause[adjudicate]"' in done.stderr
    assert done.stderr.count("\n") == 1
