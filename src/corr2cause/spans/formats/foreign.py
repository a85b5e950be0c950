"""The layouts of other corpora: UniCausal (AltLex, CTB), numbered columns (BioCause, FinCausal), CauseNet.

The only place that knows their columns. All of them are only read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from corr2cause.errors import OptionError, quoted
from corr2cause.spans.formats.cells import MisfitError, Record, id_of, label_of, sentence_of, tagged, text_of
from corr2cause.spans.formats.layouts import Layout, one_row
from corr2cause.spans.rows import Pair, Row, any_span

_MARK = re.compile(r"</?(?:ARG[01]|SIG\d+)>")
_ARGUMENT = {"cause": "ARG0", "effect": "ARG1"}

_FEW = 16  # columns of numbered files beyond this many pairs are unheard of


def _read_unicausal(record: Record) -> Row:
    """Read an example of UniCausal (Tan et al. 2023), in which ARG0 marks the cause and ARG1 the effect.

    The marks of an example that is labelled non-causal are no pair.
    """
    label = label_of(record, "pair_label")
    if label is None:
        raise MisfitError("pair_label is missing; expected 0 or 1")
    marked = text_of(record, "text_w_pairs")
    spans = [_marked(marked, role) for role in _ARGUMENT] if label else []
    pairs = (Pair(*spans),) if any(spans) else ()  # half a pair too, which validate reports
    return Row(id_of(record, "index"), sentence_of(record, "text"), pairs, label, text_of(record, "doc_id"))


def _marked(text: str, role: str) -> str:
    return " ".join(_MARK.sub(" ", tagged(text, _ARGUMENT[role])).split())


def _read_numbered(record: Record) -> Row:
    """Read columns Cause1, Effect1, Cause2 …; a text is causal iff a pair is whole, whatever a column Label says.

    Raises:
        MisfitError: the label contradicts the spans.
    """
    slots = range(1, _FEW + 1)
    pairs = tuple(
        Pair(*(text_of(record, f"{name}{slot}") for name in ("Cause", "Effect", "Causality", "Sententiality")))
        for slot in slots
        if text_of(record, f"Cause{slot}").strip() or text_of(record, f"Effect{slot}").strip()
    )
    is_causal = any(pair.is_whole for pair in pairs)
    if label_of(record, "Label") not in (None, is_causal):
        raise MisfitError(f"Label is {quoted(record['Label'])}, but the spans say otherwise; correct one of them")
    return Row(id_of(record, "S/N"), sentence_of(record, "Sentences"), pairs, is_causal)


def _read_causenet(record: Record) -> Sequence[Row]:
    """Read one relation of CauseNet (Heindorf et al. 2020): a row for each sentence that it was found in.

    Concepts are written with underscores there. What was found in lists and info boxes has no sentence and gives no
    row.
    """
    relation, sources = record.get("causal_relation"), record.get("sources")
    if not isinstance(relation, dict) or not isinstance(sources, list):
        raise MisfitError("expected causal_relation, an object, and sources, a list")
    pair = Pair(*(_concept(relation.get(role), role) for role in ("cause", "effect")))
    payloads = [source.get("payload") for source in sources if isinstance(source, dict)]
    texts = [payload for payload in payloads if isinstance(payload, dict) and text_of(payload, "sentence").strip()]
    return [
        Row(f"{pair.cause}-{pair.effect}-{number}", text_of(payload, "sentence"), (pair,), source=_page(payload))
        for number, payload in enumerate(texts, start=1)
    ]


def _page(payload: Record) -> str:
    return next((id_of(payload, key) for key in _CAUSENET_PAGES if payload.get(key)), "")


_CAUSENET_PAGES = ("clueweb12_page_id", "wikipedia_page_id", "wikipedia_page_title")


def _concept(side: object, role: str) -> str:
    concept = text_of(side, "concept") if isinstance(side, dict) else ""
    if not concept.strip():
        raise MisfitError(f"the {role} of causal_relation has no concept")
    return concept.replace("_", " ")


def columns_layout(columns: Mapping[str, str]) -> Layout:
    """Make the layout of any table with a pair at most in each row, for corpora that no layout here fits.

    Args:
        columns: the names of the columns that hold `text` (needed), `id`, `cause`, `effect`, `label`, `causality`,
            `sententiality`, `source`.

    Raises:
        OptionError: a role is unknown, or none is the text.
    """
    unknown = sorted(set(columns) - set(_ROLES))
    if unknown or "text" not in columns:
        problem = f"{unknown[0]} is unknown" if unknown else "text is missing"
        raise OptionError("--columns", f"{problem}; give text=NAME and any of {', '.join(_ROLES[1:])}")

    def read(record: Record) -> Row:
        cells = {role: text_of(record, columns[role]) for role in _ROLES[3:] if role in columns}
        label = label_of(record, columns["label"]) if "label" in columns else None
        pair = Pair(*(cells.get(role, "") for role in ("cause", "effect", "causality", "sententiality")))
        pairs = (pair,) if any_span((pair,)) else ()
        source = cells.get("source", "")
        return Row(id_of(record, id_key), sentence_of(record, columns["text"]), pairs, label, source)

    id_key = columns.get("id", _COUNTED)
    used = frozenset([*columns.values(), id_key])
    counted = "" if "id" in columns else _COUNTED
    return Layout("named columns", used, frozenset(columns.values()), one_row(read), counted_id=counted)


_ROLES = ("text", "label", "id", "cause", "effect", "causality", "sententiality", "source")
_COUNTED = "number of the row"

UNICAUSAL = Layout(
    "UniCausal",
    frozenset(["index", "doc_id", "text", "text_w_pairs", "pair_label"]),
    frozenset(["text", "pair_label"]),
    one_row(_read_unicausal),
    counted_id="index",
)
_KINDS = ("Cause", "Effect", "Causality", "Sententiality")
NUMBERED = Layout(
    "numbered columns",
    frozenset(["S/N", "Sentences", "Label", *(f"{kind}{slot}" for kind in _KINDS for slot in range(1, _FEW + 1))]),
    frozenset(["Sentences", "Cause1", "Effect1"]),
    one_row(_read_numbered),
    counted_id="S/N",
)
CAUSENET = Layout(
    "CauseNet", frozenset(["causal_relation", "sources"]), frozenset(["causal_relation", "sources"]), _read_causenet
)

FOREIGN = (UNICAUSAL, NUMBERED, CAUSENET)
"""The layouts that are only read."""
