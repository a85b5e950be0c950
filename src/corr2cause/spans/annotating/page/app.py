"""The pages: the queue, a row with both versions of everything in dispute, and downloads of what came out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from flask import Flask, Response, abort, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from corr2cause.errors import Corr2CauseError
from corr2cause.spans.annotating.comparing import Item
from corr2cause.spans.annotating.decisions import Action, Decision, DecisionError, State, possible, states
from corr2cause.spans.annotating.outcome import log_lines, outcome_of
from corr2cause.spans.annotating.page.guards import guard
from corr2cause.spans.annotating.page.marking import notes, passage, tokens, versions
from corr2cause.spans.annotating.store import ConflictError, Reviewed, Store
from corr2cause.spans.formats.layouts import EXTRACTION
from corr2cause.spans.formats.writing import converted
from corr2cause.spans.labels import VOCABULARIES
from corr2cause.spans.rows import Pair

ROWS_OF_A_PAGE = 50

REASONS = (
    "no cause is stated",
    "hedged",
    "denied",
    "only reported",
    "direction is wrong",
    "same as another pair",
    "follows from other pairs",
    "vague span",
)
"""Suggestions; any other may be written."""

_LONGEST_REQUEST = 1 << 20


@dataclass(frozen=True)
class Listed:
    """A row in the queue.

    Attributes:
        reviewed: the row with its decisions.
        n_open: items that wait for a decision.
    """

    reviewed: Reviewed
    n_open: int


def create_app(store: Store, author: str, token: str, port: int) -> Flask:
    """Make the application.

    Args:
        store: the file of adjudication.
        author: who decides.
        token: what a browser must know.
        port: on which it is served, as part of its own name.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = _LONGEST_REQUEST
    app.jinja_env.globals.update(
        author=author, token=token, vocabularies=VOCABULARIES, reasons=REASONS, tokens=tokens, versions=versions
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    guard(app, token, port)
    _show_errors(app)
    _add_queue(app, store)
    _add_rows(app, store, author)
    _add_downloads(app, store)
    return app


def queue_of(store: Store) -> list[Listed]:
    """Return the rows in dispute, and those that somebody decided on all the same."""
    return [Listed(one, sum(state.is_open for state in states(one.row, one.log))) for one in store.queue()]


def _show_errors(app: Flask) -> None:
    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> tuple[str, int]:
        code = error.code or 500
        return render_template("message.html", title=error.name, text=error.description), code

    @app.errorhandler(Corr2CauseError)
    def failed(error: Corr2CauseError) -> tuple[str, int]:
        return render_template("message.html", title="Nothing was saved", text=str(error)), 500


def _add_queue(app: Flask, store: Store) -> None:
    @app.get("/")
    def queue() -> str:
        listed = queue_of(store)
        chosen = request.args.get("show", "open")
        shown = [one for one in listed if chosen == "all" or bool(one.n_open) == (chosen == "open")]
        last = max(1, -(-len(shown) // ROWS_OF_A_PAGE))
        page = min(max(1, request.args.get("page", 1, type=int)), last)
        return render_template(
            "queue.html",
            shown=shown[(page - 1) * ROWS_OF_A_PAGE : page * ROWS_OF_A_PAGE],
            chosen=chosen,
            page=page,
            last=last,
            **_progress(listed),
        )


def _progress(listed: list[Listed]) -> dict[str, Any]:
    still_open = [one for one in listed if one.n_open]
    return {
        "n_rows": len(listed),
        "n_settled": len(listed) - len(still_open),
        "next_open": still_open[0].reviewed.place if still_open else None,
    }


def _add_rows(app: Flask, store: Store, author: str) -> None:
    @app.get("/row/<int:place>")
    def row(place: int) -> str:
        return _page_of(store, _found(store, place))

    @app.post("/row/<int:place>")
    def decide(place: int) -> AnyResponse | tuple[str, int]:
        reviewed = _found(store, place)
        try:
            seen = request.form.get("seen", type=int)
            decided = store.decide(_decision(reviewed), author, -1 if seen is None else seen)
        except DecisionError as error:
            code = 409 if isinstance(error, ConflictError) else 400
            return _page_of(store, _found(store, place), problem=str(error)), code
        return redirect(_next_place(store, place, decided.decision), 303)


def _found(store: Store, place: int) -> Reviewed:
    try:
        return store.row_at(place)
    except DecisionError as error:
        abort(404, str(error))


def _decision(reviewed: Reviewed) -> Decision:
    """Read the decision that a form sent."""
    form = request.form
    try:
        action = Action(form.get("action", ""))
    except ValueError:
        raise DecisionError("there is no such action") from None
    pair = None
    if action in (Action.EDIT, Action.ADD):
        cause, effect = (" ".join(form.get(side, "").split()) for side in ("cause", "effect"))
        pair = Pair(cause, effect, form.get("causality", ""), form.get("sententiality", ""))
    item = form.get("item", -1, type=int)
    reason = " ".join(form.get("reason", "").split())
    return Decision(reviewed.row.first.id, item, action, pair, reason)


def _next_place(store: Store, place: int, decision: Decision) -> str:
    """Return where to go after a decision: the next open item of the row, else the next open row, else the queue."""
    reviewed = store.row_at(place)
    found = states(reviewed.row, reviewed.log)
    still_open = [number for number, state in enumerate(found) if state.is_open]
    stays = decision.action in (Action.ADD, Action.REOPEN)
    if still_open or stays:
        later = [number for number in still_open if number > decision.item] or still_open
        return url_for("row", place=place, _anchor=f"item-{decision.item if stays else later[0]}")
    others = [one.reviewed.place for one in queue_of(store) if one.n_open]
    if not others:
        return url_for("queue", show="all")
    return url_for("row", place=next((other for other in others if other > place), others[0]), after=place)


def _page_of(store: Store, reviewed: Reviewed, problem: str = "") -> str:
    found = states(reviewed.row, reviewed.log)
    listed = queue_of(store)
    places = [one.reviewed.place for one in listed]
    return render_template(
        "row.html",
        place=reviewed.place,
        row=reviewed.row,
        log=reviewed.log,
        seen=reviewed.log[-1].number if reviewed.log else 0,
        states=found,
        first_open=next((number for number, state in enumerate(found) if state.is_open), 0),
        notes=(notes(reviewed.row.first), notes(reviewed.row.second)),
        sentences=passage(reviewed.row.first.sentence, found),
        actions=[_actions(state) for state in found],
        drafts=[_draft(state) for state in found],
        after=request.args.get("after", type=int),
        problem=problem,
        form=request.form if problem else {},
        before=max((other for other in places if other < reviewed.place), default=None),
        following=min((other for other in places if other > reviewed.place), default=None),
        **_progress(listed),
    )


def _actions(state: State) -> list[str]:
    """Return what can be done about an item now; after a decision it must be reopened first."""
    if state.item.is_added:
        return [Action.EDIT, Action.DROP]
    return [Action.REOPEN] if state.last else list(possible(state.item))


def _draft(state: State) -> Pair:
    """Return what an editor begins with."""
    if state.last and state.last.decision.pair:
        return state.last.decision.pair
    item: Item = state.item
    return item.first or item.second or Pair("", "")


def _add_downloads(app: Flask, store: Store) -> None:
    @app.get("/corpus.json")
    def corpus() -> Response:
        found = outcome_of(store.rows())
        write = EXTRACTION.write
        assert write, "extraction is a format that is written"
        records = [write(row) for row in converted(found.rows, EXTRACTION.name).rows]
        return _download(json.dumps(records, ensure_ascii=False, indent=2), "corpus.json", "application/json")

    @app.get("/log.jsonl")
    def log() -> Response:
        return _download("".join(log_lines(store.log())), "log.jsonl", "application/jsonl")


def _download(text: str, name: str, kind: str) -> Response:
    return Response(text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
