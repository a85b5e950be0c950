"""Corr2Cause: exact data on whether causal claims follow from statistical relations.

The names below are the public interface; each is loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from corr2cause.checking.audit import audit
    from corr2cause.checking.explanation import explain
    from corr2cause.checking.verification import verify
    from corr2cause.dataset.generating import Target, generate
    from corr2cause.dataset.options import GenerationOptions, PerturbationOptions, SplitOptions, StoryOptions
    from corr2cause.dataset.perturbing import perturb
    from corr2cause.dataset.reading import open_dataset
    from corr2cause.dataset.storytelling import stories
    from corr2cause.errors import Corr2CauseError
    from corr2cause.graphs.equivalence import equivalence_classes, labelled_class_count

_HOMES = {
    "Corr2CauseError": "errors",
    "GenerationOptions": "dataset.options",
    "PerturbationOptions": "dataset.options",
    "SplitOptions": "dataset.options",
    "StoryOptions": "dataset.options",
    "Target": "dataset.generating",
    "audit": "checking.audit",
    "equivalence_classes": "graphs.equivalence",
    "explain": "checking.explanation",
    "generate": "dataset.generating",
    "labelled_class_count": "graphs.equivalence",
    "open_dataset": "dataset.reading",
    "perturb": "dataset.perturbing",
    "stories": "dataset.storytelling",
    "verify": "checking.verification",
}

__all__ = [
    "Corr2CauseError",
    "GenerationOptions",
    "PerturbationOptions",
    "SplitOptions",
    "StoryOptions",
    "Target",
    "audit",
    "equivalence_classes",
    "explain",
    "generate",
    "labelled_class_count",
    "open_dataset",
    "perturb",
    "stories",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
