"""The only door to matplotlib, which the extra `plot` brings: imported when something is drawn, always set up alike."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corr2cause.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg")

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
"""The colours of Okabe & Ito (2008), which differ for every kind of colour vision."""

AUTHOR = "corr2cause"
DPI = 200

_SETTINGS: dict[Any, Any] = {"svg.hashsalt": AUTHOR, "svg.fonttype": "none"}  # in SVG a text stays a text
_METADATA = {"png": {"Software": AUTHOR}, "svg": {"Creator": AUTHOR, "Date": None}}


def drawn(draw: Callable[[], Figure], form: str) -> bytes:
    """Draw, and return the file: the same bytes for the same picture and version of matplotlib.

    Args:
        draw: makes the figure, with the default settings of matplotlib, whatever the user's own are.
        form: one of `FORMATS`.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plot") from error
    out = io.BytesIO()
    with mpl.rc_context({**mpl.rcParamsDefault, **_SETTINGS}):
        draw().savefig(out, format=form, dpi=DPI, metadata=_METADATA[form])
    return out.getvalue()


def is_ours(data: bytes) -> bool:
    """Tell whether a file was drawn here, by what `drawn` writes into every file."""
    return f"Software\0{AUTHOR}".encode() in data or f"<dc:title>{AUTHOR}</dc:title>".encode() in data
