"""The grounds of an answer in words: what bears a claim out in every member, or why it fails in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from corr2cause.text import reasoning_wording as words
from corr2cause.text.trace import Conclusion, Failure, FailureKind, Names, Witness
from corr2cause.text.verbalisation import enumerated, verbalise_edges
from corr2cause.text.wording import AND, ARROW, Claim


def grounds(conclusion: Conclusion) -> Iterator[str]:
    """Say why a hypothesis holds in every member, or where it fails; then in how many it holds."""
    n, pair = conclusion.class_size, {"first": conclusion.first, "second": conclusion.second}
    if conclusion.counterexample is None or conclusion.failure is None:
        yield _witnesses(conclusion.witnesses)
        if conclusion.claim is Claim.INDIRECT and conclusion.reading == "direct":
            yield words.NEVER_AN_EDGE.format(**pair)
        yield words.HOLDS_IN_ONE if n == 1 else words.HOLDS_IN_ALL.format(n=n)
        return
    graph = verbalise_edges(conclusion.counterexample) or words.GRAPH_WITHOUT_EDGES
    yield words.FAILS.format(graph=graph, failure=_failure(conclusion.failure, pair))
    if n == 1:
        yield words.FAILS_IN_ONE
    else:
        template = words.HOLDS_IN_SOME if conclusion.holds_in else words.FAILS_IN_ALL
        yield template.format(holds_in=conclusion.holds_in, n=n)


def _witnesses(found: Sequence[Witness]) -> str:
    if len(found) == 1:
        return words.SHARED_WITNESS.format(paths=_paths(found[0].paths))
    groups = [
        words.WITNESS_GROUPS[min(place, 1)].format(n=witness.n_members, paths=_paths(witness.paths))
        for place, witness in enumerate(found)
    ]
    return words.WITNESSES.format(groups=words.SEMICOLON.join(groups))


def _paths(paths: Iterable[Names]) -> str:
    return AND.join(ARROW.join(path) for path in paths)


def _failure(failure: Failure, pair: dict[str, str]) -> str:
    return words.FAILURES[failure.kind].format(
        **pair,
        of_first=_relatives(failure.kind, failure.of_first),
        of_second=_relatives(failure.kind, failure.of_second),
        cuts=AND.join(
            words.CUTS[failure.kind].format(**pair, relative=relative, cut=cut) for relative, cut in failure.cuts
        ),
    )


def _relatives(kind: FailureKind, names: Names) -> str:
    return (
        words.form(words.RELATIVES[kind], len(names), names=enumerated(names, AND)) if kind in words.RELATIVES else ""
    )
