"""The labelling configuration: what an annotator sees and marks, and the names that tasks and annotations share.

Causes and effects are regions of the text; a relation from a cause to an effect is a pair and carries its labels; a
choice says whether the row states a cause at all, so that an empty row is an answer and not an oversight.
"""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from corr2cause.spans.labels import CAUSALITY, SENTENTIALITY

TEXT, SPAN, VERDICT = "text", "span", "verdict"
CAUSE, EFFECT = "Cause", "Effect"
CAUSAL, NON_CAUSAL = "Causal", "Non-causal"
ID, SOURCE, UNPLACED = "row_id", "source", "unplaced"
"""Fields of the data of a task."""

RELATION_LABELS = (*CAUSALITY, *SENTENTIALITY)

_COLOURS = {CAUSE: "#c2410c", EFFECT: "#1d4ed8"}


def labelling_config() -> str:
    """Return the configuration as XML."""
    labels = "\n".join(
        f"    <Label value={quoteattr(name)} background={quoteattr(colour)} hotkey={quoteattr(name[0].lower())}/>"
        for name, colour in _COLOURS.items()
    )
    relations = "\n".join(f"    <Relation value={quoteattr(name)}/>" for name in RELATION_LABELS)
    choices = "\n".join(f"    <Choice value={quoteattr(name)}/>" for name in (CAUSAL, NON_CAUSAL))
    return f"""<View>
  <Labels name="{SPAN}" toName="{TEXT}">
{labels}
  </Labels>
  <Text name="{TEXT}" value="${TEXT}"/>
  <Relations choice="multiple">
{relations}
  </Relations>
  <Choices name="{VERDICT}" toName="{TEXT}" choice="single" showInLine="true" required="true">
{choices}
  </Choices>
  <Header value="${UNPLACED}" size="6"/>
</View>
"""
