"""The names that commands, files and tables share: tasks, prompting strategies, profiles."""

from __future__ import annotations

EXTRACTION, DETECTION = "extraction", "detection"
TASKS = (EXTRACTION, DETECTION)
"""List the pairs of a text; say whether it has any."""

DESCRIBED, RELEASED = "described", "released"
"""As the paper's text says; as its released code does."""

STRATEGIES = ("zero-shot", "few-shot", "cot", "cot-fewshot", "least-to-most", "react")
