"""Serve the page on the loopback address, which no other machine reaches."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable

from corr2cause.errors import MissingExtraError, OptionError
from corr2cause.spans.annotating.store import Store

ADDRESS = "127.0.0.1"


def serve(store: Store, author: str, port: int, ready: Callable[[str], object]) -> None:
    """Serve until interrupted.

    Args:
        store: the file of adjudication.
        author: whose decisions they are.
        port: 0 for any free one.
        ready: called with the address to open, which holds the token, once it answers.

    Raises:
        MissingExtraError: Flask is not installed.
        OptionError: the port is taken.
    """
    try:
        from werkzeug.serving import WSGIRequestHandler, make_server

        from corr2cause.spans.annotating.page.app import create_app
    except ImportError as error:
        raise MissingExtraError("Flask", "adjudicate") from error

    class Quiet(WSGIRequestHandler):
        def log_request(self, *_: object) -> None:
            """Say nothing: an address may hold the token."""

    token = secrets.token_urlsafe(24)
    with _listening(port) as listening:
        port = listening.getsockname()[1]
        app = create_app(store, author, token, port)
        server = make_server(ADDRESS, port, app, threaded=True, request_handler=Quiet, fd=listening.fileno())
        ready(f"http://{ADDRESS}:{port}/?token={token}")
        server.serve_forever()


def _listening(port: int) -> socket.socket:
    listening = socket.socket()
    if os.name == "posix":  # on Windows it would let two programs serve one port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((ADDRESS, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        raise OptionError(
            "--port", f"{port} cannot be used ({error}); choose another, or 0 for any free one"
        ) from error
    return listening
