"""Where the classes of a data set come from, in words for its card."""

from __future__ import annotations

from corr2cause.dataset.manifest import Manifest

_ENUMERATED = """\
For each number of variables, every directed acyclic graph up to renaming is enumerated and sorted into Markov
equivalence classes"""

_SAMPLED = {
    "classes": """\
Markov equivalence classes of {n} variables are drawn uniformly from all of them, up to renaming and without
repetition""",
    "dags": """\
Directed acyclic graphs are drawn uniformly from all labelled ones of {n} variables, and of each its Markov
equivalence class is taken, up to renaming and without repetition""",
}

_BOUNDS = {"edges": "edges", "density": "edges per pair", "class_size": "members", "statements": "stated independences"}


def origin(manifest: Manifest) -> str:
    """Say where the classes come from: all that there are, or drawn from which distribution, within which bounds."""
    if manifest.kind != "sample":
        return _ENUMERATED
    options, drawing = manifest.options, manifest.drawing
    drawn = _SAMPLED[str(options["distribution"])].format(n=options["n"])
    bounds = [f"{options[name]} {what}" for name, what in _BOUNDS.items() if options.get(name)]
    only = f"only those with {' and '.join(bounds)} are taken; " if bounds else ""
    refused = f"{drawing['too_large']:,} of {drawing['draws']:,} draws were refused"
    return f"{drawn}\n({only}{refused} because the class has more than {options['max_class_size']:,} members)"
