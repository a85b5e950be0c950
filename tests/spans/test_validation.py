"""Each rule finds its example and nothing else in it, and leaves alone what only looks like a breach."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts.write_rules_docs import with_rules

from corr2cause.spans.cues import GUIDELINE, PROMPT, markers
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.rules import RULES
from corr2cause.spans.sentences import sentence_stretches
from corr2cause.spans.sententiality import sententiality_of
from corr2cause.spans.validation import findings
from tests.spans.strategies import PASSAGES, ROWS, SPANS

DOCS = Path(__file__).parents[2] / "docs" / "spans.md"


def found(*rows: Row) -> list[str]:
    return [one.rule for one in findings(rows, range(1, len(rows) + 1))]


def pair(text: str, cause: str, effect: str, causality: str = "Explicit", scope: str = "Intra") -> list[str]:
    return found(Row("1", text, (Pair(cause, effect, causality, scope),)))


@pytest.mark.parametrize("name", RULES)
def test_a_rule_finds_its_example_and_nothing_else(name):
    assert found(*RULES[name].example) == [name]


def test_the_docs_show_every_rule_with_its_example():
    page = DOCS.read_text(encoding="utf-8")
    assert with_rules(page) == page, "run python scripts/write_rules_docs.py"
    assert all(f"| `{name}` |" in page for name in RULES)


SOUND = [
    ("Frost can cause cracks", "Frost", "cracks", "Explicit"),  # "can" is allowed
    ("Frost prevents decay", "Frost", "decay", "Explicit"),  # so are effects that prevent
    ("Cracks are caused by frost", "frost", "Cracks", "Explicit"),  # passive, in the right direction
    ("Cracks due to the frost grew", "frost", "Cracks", "Explicit"),
    ("Frost does not only cause cracks", "Frost", "cracks", "Explicit"),
    ("Frost does not cause cracks but leads to holes", "Frost", "holes", "Explicit"),
    ("Our results suggest that frost causes cracks", "frost", "cracks", "Explicit"),
    ("Frost causes cracks, which may cause accidents", "Frost", "cracks", "Explicit"),
    ("Frost and salt together cause decay", "Frost and salt", "decay", "Explicit"),  # a joint cause stays one
    ("Frost causes acute and chronic decay", "Frost", "acute and chronic decay", "Explicit"),
    ("Frost causes signs of wear and tear", "Frost", "signs of wear and tear", "Explicit"),
    ("Frost weakens the road", "Frost", "the road", "Implicit"),
    ("Because it froze, the road and its reduced grip failed", "it froze", "the road", "Explicit"),
    ("Salt reduced ice and so the roads widened", "Salt", "the roads widened", "Implicit"),
    ("This frost causes cracks", "This frost", "cracks", "Explicit"),
    ("A causal driver of cracks is frost", "frost", "cracks", "Explicit"),
    ("Salt causes rust in cars. Rust of cars is common", "Salt", "rust of cars", "Explicit"),  # in other words, Intra
]


@pytest.mark.parametrize(("text", "cause", "effect", "causality"), SOUND, ids=[text for text, *_ in SOUND])
def test_what_only_looks_like_a_breach_is_left_alone(text, cause, effect, causality):
    assert pair(text, cause, effect, causality) == []


BREACHES = [
    ("Frost could possibly lead to cracks", "Frost", "cracks", "Explicit", "hedged"),
    ("Frost potentially increases the risk because", "Frost", "the risk", "Explicit", "hedged"),
    ("Frost never causes cracks", "Frost", "cracks", "Explicit", "negated"),
    ("Frost doesn't cause cracks", "Frost", "cracks", "Explicit", "negated"),
    ("Frost failed to cause cracks", "Frost", "cracks", "Explicit", "negated"),
    ("It was hypothesized that frost causes cracks", "frost", "cracks", "Explicit", "reported"),
    ("Drivers suggest that frost causes cracks", "frost", "cracks", "Explicit", "reported"),
    ("Cracks were mainly due to frost", "Cracks", "frost", "Explicit", "reversed-direction"),
    ("Frost directly causes cracks", "cracks", "Frost", "Explicit", "reversed-direction"),
    ("Cracks that are due to frost", "frost", "Cracks", "Implicit", "implicit-with-marker"),
    ("These changes cause cracks", "These changes", "cracks", "Explicit", "vague-span"),
]


@pytest.mark.parametrize(
    ("text", "cause", "effect", "causality", "rule"), BREACHES, ids=[text for text, *_ in BREACHES]
)
def test_breaches_in_other_words(text, cause, effect, causality, rule):
    assert rule in pair(text, cause, effect, causality)


def test_repeated_pairs_and_rows_and_damaged_encodings_are_found():
    """Flaw 17."""
    one, other = Pair("Frost", "cracks", "Explicit", "Intra"), Pair("frost ", "Cracks", "Implicit", "Intra")
    row = Row("1", "Frost causes cracks", (one, other))
    rows = (row, Row("2", "frost  causes cracks."), Row("3", "The workersï¿½ï¿½ behavior"))
    messages = {f.rule: f.message for f in findings(rows, (1, 2, 3))}
    assert messages["repeated-pair"] == "the same as pair 0, with other labels"
    assert messages["repeated-row"] == "the same text stands at 1 already"
    assert "encoding-damage" in messages


def test_labels_of_scope_that_the_text_contradicts_are_found():
    """Flaw 18: Inter whose spans lie in one sentence, Intra whose spans lie in two."""
    text = "Frost came because winter came. Roads cracked."
    assert "intra-across-sentences" in pair(text, "Frost", "Roads cracked", "Implicit", "Intra")
    assert "inter-in-one-sentence" in pair(text, "winter", "Frost", "Explicit", "Inter")


def test_a_pair_is_not_transitive_through_itself():
    one, other = Pair("Frost", "Frost", "Explicit", "Intra"), Pair("Frost", "cracks", "Explicit", "Intra")
    assert found(Row("1", "Frost causes cracks", (one, other))) == ["same-spans"]


def test_guideline_and_prompt_disagree_by_name():
    """Flaw 20: two named lists of what is explicit."""
    for text in ("Salt reduces ice", "Salt prevents ice", "Salt promotes rust"):
        assert len(markers(text, "guideline")) == 1
        assert markers(text, "prompt") == []
    assert "effect of" in PROMPT
    assert "effect of" not in GUIDELINE


def test_the_longest_marker_wins_and_parts_of_words_are_none():
    assert [one.words for one in markers("As a  result the causes, because")] == ["As a  result", "causes", "because"]
    assert markers("reasonable becausex") == []


@given(PASSAGES, SPANS, SPANS)
def test_scope_by_definition(text, cause, effect):
    """Compare whole sentences that hold a span as words; with doubt there is no label."""
    label = sententiality_of(Pair(cause, effect), text, sentence_stretches(text))
    holds = [
        {
            k
            for k, (a, b) in enumerate(sentence_stretches(text))
            if f" {span.lower()} " in f" {text[a:b].lower().rstrip('.')} "
        }
        for span in (cause, effect)
    ]
    if label == "Intra" and all(holds):
        assert holds[0] == holds[1]
        assert len(holds[0]) == 1
    elif label == "Intra":  # a span that is no whole word anywhere is sought inside words: "road" in "Roads."
        inside = [text[a:b].lower() for a, b in sentence_stretches(text)]
        assert any(cause.lower() in one and effect.lower() in one for one in inside)
    elif label == "Inter":
        assert not holds[0] & holds[1]
    elif all(len(one) == 1 for one in holds):
        assert holds[0] != holds[1] or any(text.lower().count(span.lower()) > 1 for span in (cause, effect))


@given(st.lists(ROWS, max_size=4))
def test_any_rows_are_checked_without_a_failure(rows):
    for one in findings(rows, range(len(rows))):
        assert one.severity == RULES[one.rule].severity
        assert one.pair is None or 0 <= one.pair < len(rows[one.place].pairs)
