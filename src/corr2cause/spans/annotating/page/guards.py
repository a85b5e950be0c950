"""Who may use the page: a browser on this machine, on its own behalf, that was given the address with the token.

Any site that is open in the same browser can send requests to this machine. Three things keep it out: the name of the
host must be ours (else a site could make its own name point here), a change must come from a page of ours (Origin), and
every request must carry the token, which no other site knows.
"""

from __future__ import annotations

import hmac

from flask import Flask, Response, abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # no-referrer would make browsers send "Origin: null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

WANTED_TOKEN = "Open the address that the command printed: it holds the key to this page."


def guard(app: Flask, token: str, port: int) -> None:
    """Let an app answer only requests of its own pages, and forbid these to load or run anything from elsewhere."""
    hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
    cookie = f"adjudicate-{port}"  # browsers share cookies between the ports of a host

    @app.before_request
    def refuse() -> AnyResponse | None:
        if request.host not in hosts:
            abort(403, "This page is only for this machine, under its own name.")
        is_change = request.method not in ("GET", "HEAD")
        if is_change and request.headers.get("Origin") != f"http://{request.host}":
            abort(403, "This request comes from another site.")
        if not is_change and request.path == "/" and "token" in request.args:
            return _admitted(request.args["token"])
        if not _is_token(request.cookies.get(cookie)) or (is_change and not _is_token(request.form.get("token"))):
            abort(403, WANTED_TOKEN)
        return None

    def _is_token(found: str | None) -> bool:
        return found is not None and hmac.compare_digest(found.encode(), token.encode())

    def _admitted(found: str) -> AnyResponse:
        if not _is_token(found):
            abort(403, WANTED_TOKEN)
        answer = redirect("/", 303)
        answer.set_cookie(cookie, token, httponly=True, samesite="Strict")
        return answer

    @app.after_request
    def protect(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response
