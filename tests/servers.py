"""A small server of the OpenAI kind on loopback, which can fail in every way that real ones do."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Sent:
    """What the server sends back.

    Attributes:
        status: of HTTP.
        body: JSON value, or bytes as they are.
        headers: further ones.
        reset: break the connection instead.
        seconds: to wait before.
    """

    status: int = 200
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)
    reset: bool = False
    seconds: float = 0.0


def completion(text: str | None, finish_reason: str = "stop", **message: object) -> Sent:
    """Return a usual answer."""
    return Sent(
        body={
            "id": "chat-1",
            "object": "chat.completion",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish_reason,
                    "message": {"role": "assistant", "content": text, **message},
                }
            ],
            "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
        }
    )


def error(status: int, message: str = "no", code: str | None = None, **headers: str) -> Sent:
    """Return a usual complaint."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Sent(status, {"error": {"message": message, "code": code, "type": "x"}}, named)


Behaviour = Callable[[str, int], Sent]
"""(last message of the prompt, how often it came before) -> what to send."""


@dataclass
class Server:
    """A running server.

    Attributes:
        url: for `--base-url`.
        requests: every body that came, with the time and the header Authorization.
        seen: how often each prompt came.
        answered: how often each prompt was answered with status 200, wholly sent.
        most_at_once: requests under way at the same time.
    """

    url: str
    behave: Behaviour
    requests: list[tuple[float, str | None, dict[str, object]]] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    most_at_once: int = 0
    n_now: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def running_server(behave: Behaviour = lambda prompt, times: completion("Yes")) -> Iterator[Server]:
    """Run a server while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = body["messages"][-1]["content"]
            with server.lock:
                times = server.seen[prompt]
                server.seen[prompt] += 1
                server.requests.append((time.monotonic(), self.headers["Authorization"], body))
                server.n_now += 1
                server.most_at_once = max(server.most_at_once, server.n_now)
            try:
                sent = server.behave(prompt, times) if self.path == "/v1/chat/completions" else error(404, "no path")
                time.sleep(sent.seconds)
            finally:
                with server.lock:
                    server.n_now -= 1
            self.respond(prompt, sent)

        def respond(self, prompt: str, sent: Sent) -> None:
            if sent.reset:  # lingering for no time at all makes close() send a reset
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True
                return
            data = sent.body if isinstance(sent.body, bytes) else json.dumps(sent.body).encode()
            if sent.status == 200:
                with server.lock:
                    server.answered[prompt] += 1
            self.send_response(sent.status)
            for name, value in {"Content-Type": "application/json", **sent.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False
        request_queue_size = 128  # of 5, the default, some of eight connections at once wait a second for their turn

        def handle_error(self, *_: object) -> None:  # clients that have gone
            pass

    with Quiet(("127.0.0.1", 0), Handler) as http:
        server = Server(f"http://127.0.0.1:{http.server_address[1]}/v1", behave)
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
