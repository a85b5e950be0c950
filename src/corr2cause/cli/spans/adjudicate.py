"""`corr2cause spans adjudicate`: a page in the browser on which disputes are decided."""

from __future__ import annotations

import getpass
import webbrowser
from pathlib import Path

import click

from corr2cause.cli.paths import NAMED_PATH
from corr2cause.errors import OptionError

DB = click.option("--db", required=True, type=NAMED_PATH, metavar="FILE", help="Which `spans queue --db` wrote.")
AUTHOR = click.option("--author", metavar="NAME", help="Who decides, for the log.  [default: the name of the user]")


@click.command()
@DB
@AUTHOR
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of the page.  [default: any free one]")
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser of this machine.")
def adjudicate(db: Path, author: str | None, port: int, opens: bool) -> None:
    """Serve a page on which disputes are decided, pair by pair; it prints the address to open. End it with Ctrl-C.

    Both versions stand side by side; each can be accepted, edited or dropped, and pairs can be added, all from the
    keyboard. Every decision is in FILE before the page goes on. The page is for this machine alone and loads nothing
    from elsewhere. Needs the extra `adjudicate`.

    \b
    Example:
      corr2cause spans adjudicate --db disputes.db --author eve
      corr2cause spans outcome --db disputes.db --out corpus.json --log log.jsonl
    """
    from corr2cause.spans.annotating.page.server import serve
    from corr2cause.spans.annotating.store import Store

    def ready(address: str) -> None:
        click.echo(f"Open {address}\nEvery decision is saved at once in {db}; Ctrl-C ends this.")
        if opens:
            webbrowser.open(address)

    serve(Store(db), author_of(author), port, ready)


def author_of(name: str | None) -> str:
    """Return who decides: the name that was given, else that of the user.

    Raises:
        OptionError: it is blank or no text, or the user has no name.
    """
    try:
        found = getpass.getuser() if name is None else name
    except (KeyError, OSError):
        found = ""
    if not found.strip() or not found.isprintable():
        raise OptionError("--author", "the log needs to know who decides; give a name that can be printed")
    return found.strip()
