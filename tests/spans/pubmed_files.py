"""PubMed XML of our own, and a server that answers like the E-utilities."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

DOCTYPE = '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://example.org/pubmed.dtd">\n'


def article(pmid: object, *parts: str, markup: bool = False) -> str:
    """Return a record; the parts are sections of its abstract."""
    shown = parts if markup else [escape(part) for part in parts]
    texts = "".join(f'<AbstractText Label="PART">{part}</AbstractText>' for part in shown)
    abstract = f"<Abstract>{texts}<CopyrightInformation>(c)</CopyrightInformation></Abstract>" if parts else ""
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">{pmid}</PMID><Article><ArticleTitle>A '
        f"title. With two sentences.</ArticleTitle>{abstract}</Article><CommentsCorrectionsList><CommentsCorrections>"
        f"<PMID>999</PMID></CommentsCorrections></CommentsCorrectionsList><OtherAbstract><AbstractText>Autre."
        f"</AbstractText></OtherAbstract></MedlineCitation><PubmedData><ArticleIdList><ArticleId>{pmid}</ArticleId>"
        f"</ArticleIdList></PubmedData></PubmedArticle>\n"
    )


def article_set(*articles: str) -> str:
    """Return a whole file."""
    head = f'<?xml version="1.0" encoding="utf-8"?>\n{DOCTYPE}'
    return f"{head}<PubmedArticleSet>\n{''.join(articles)}</PubmedArticleSet>\n"


class FakePubMed:
    """Records with their dates, and what was asked.

    Attributes:
        dates: when each record was published, by its id; None of those that PubMed finds in every month of a year.
        most: how many ids a search gives at most.
        asked: the fields of every request, with the name of the utility.
        mishaps: answers that come instead of the next ones: a status and a body.
    """

    def __init__(self, dates: dict[str, date | None], most: int = 9_999) -> None:
        self.dates, self.most = dates, most
        self.asked: list[dict[str, str]] = []
        self.mishaps: list[tuple[int, bytes]] = []

    def answer(self, name: str, fields: dict[str, str]) -> tuple[int, bytes]:
        """Answer a request."""
        self.asked.append({"utility": name, **fields})
        if self.mishaps:
            return self.mishaps.pop(0)
        if name == "efetch.fcgi":
            return 200, article_set(*(article(one, f"Text {one}.") for one in fields["id"].split(","))).encode()
        begin, end = (date(*map(int, fields[key].split("/"))) for key in ("mindate", "maxdate"))
        found = [one for one, day in self.dates.items() if day is None or begin <= day <= end]
        result = {"count": str(len(found)), "idlist": found[: min(self.most, int(fields["retmax"]))]}
        return 200, json.dumps({"esearchresult": result}).encode()

    def fetched(self) -> list[str]:
        """Return the ids of every fetch."""
        return [one for fields in self.asked if fields["utility"] == "efetch.fcgi" for one in fields["id"].split(",")]


@contextmanager
def served(answer: Callable[[str, dict[str, str]], tuple[int, bytes]]) -> Iterator[str]:
    """Serve on a free port of this machine; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            fields = {key: values[0] for key, values in parse_qs(body).items()}
            status, data = answer(self.path.rsplit("/", 1)[-1], fields)
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/entrez/eutils"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
