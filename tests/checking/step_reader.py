"""Reads the steps of an explanation back and holds each against graphs, by definition.

The sentences are typed once more here, as patterns; what they say is checked with networkx and the oracles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise

import networkx as nx

from tests.oracles import equivalence, relations, separation
from tests.oracles.equivalence import skeleton, v_structures
from tests.oracles.separation import minimal

Pair = tuple[int, int]

cpdag, claims, separations = cache(equivalence.cpdag), cache(relations.claims), cache(separation.separations)


@dataclass(frozen=True)
class Case:
    """A determined premise with a claim about it.

    Attributes:
        names: of the nodes.
        group: all members of the class.
        is_minimal: whether the premise lists minimal sets only.
        claim: relation, x and y, as in the oracles.
        reading: its name.
    """

    names: tuple[str, ...]
    group: tuple[nx.DiGraph, ...]
    is_minimal: bool
    claim: tuple[str, int, int]
    reading: str

    @property
    def holds_in(self) -> int:
        return sum(self.claim in claims(member, self.reading) for member in self.group)

    @property
    def label(self) -> int:
        return int(self.holds_in == len(self.group))

    def nodes(self, names: str) -> list[int]:
        """Read "A, B and C"."""
        return [self.names.index(name) for name in re.split(r", | and ", names)]

    def edges(self, text: str, sign: str = "->") -> list[Pair]:
        return [(self.names.index(u), self.names.index(v)) for u, v in (e.split(sign) for e in text.split(", "))]

    def are_adjacent(self, u: str, v: str) -> bool:
        return tuple(sorted(self.nodes(f"{u} and {v}"))) in skeleton(self.group[0])


def check_steps(steps: Sequence[str], case: Case) -> None:
    """Read every step; fail if one fits no pattern, is false, or is out of place."""
    *numbered, ending = steps
    assert ending == ("Therefore: Yes." if case.label else "Therefore: No.")
    reader = _Reader(case)
    for number, line in enumerate(numbered, 1):
        head, _, sentence = line.partition(". ")
        assert head == str(number)
        reader.read(sentence)
    reader.finish()


class _Reader:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.seen: list[str] = []
        self.directed: set[Pair] = set()
        self.found_v_structures: set[tuple[int, int, int]] = set()

    def read(self, sentence: str) -> None:
        for pattern, kind, check in _PATTERNS:
            if found := re.fullmatch(pattern, sentence):
                self.seen.append(kind)
                check(self, **found.groupdict())
                return
        raise AssertionError(f"no pattern fits {sentence!r}")

    def finish(self) -> None:
        order = ["facts", "skeleton", "left", "v", "meek", "cpdag", "members", "meaning", "grounds", "count"]
        assert [kind for kind, _ in _runs(self.seen)] == order
        assert self.found_v_structures == v_structures(self.case.group[0])

    # What each sentence says.

    def facts(self, correlations: str, independences: str, names: str, rest: str) -> None:
        implied = separations(self.case.group[0])
        stated = minimal(implied) if self.case.is_minimal else implied
        unconditional = sum(not given for _, _, given in implied)
        n = len(self.case.names)
        assert int(correlations) == n * (n - 1) // 2 - unconditional
        assert int(independences) == len(stated)
        assert tuple(self.case.nodes(names)) == tuple(range(n))
        assert ("minimal" in rest) == self.case.is_minimal

    def removed(self, removed: str) -> None:
        implied = separations(self.case.group[0])
        apart = set()
        for u, v, given in re.findall(r"([^ ,]+?)--([^ ,]+) \((?:unconditionally|given (.*?))\)", removed):
            i, j = self.case.nodes(f"{u} and {v}")
            assert (i, j, tuple(self.case.nodes(given)) if given else ()) in implied
            apart.add((i, j))
        n = len(self.case.names)
        assert apart == set(combinations(range(n), 2)) - set(skeleton(self.case.group[0]))

    def none_removed(self) -> None:
        assert not separations(self.case.group[0])

    def left(self, edges: str) -> None:
        assert set(self.case.edges(edges, "--")) == set(skeleton(self.case.group[0]))

    def nothing_left(self) -> None:
        assert not skeleton(self.case.group[0])

    def v_structure(self, first: str, collider: str, second: str, given: str) -> None:
        a, c, b = self.case.nodes(f"{first}, {collider} and {second}")
        separator = () if given == "the empty set" else tuple(self.case.nodes(given))
        assert (a, b, separator) in separations(self.case.group[0])
        assert c not in separator
        self.found_v_structures.add((a, c, b))
        self.directed |= {(a, c), (b, c)}

    def no_v_structure(self) -> None:
        assert not v_structures(self.case.group[0])

    def _direct(self, cause: str, effect: str) -> None:
        edge = self.case.edges(f"{cause}->{effect}")[0]
        assert all(member.has_edge(*edge) for member in self.case.group)
        assert edge not in self.directed
        self.directed.add(edge)

    def _is_arrow(self, cause: str, effect: str) -> bool:
        return self.case.edges(f"{cause}->{effect}")[0] in self.directed

    def _is_line(self, u: str, v: str) -> bool:
        return self.case.are_adjacent(u, v) and not self._is_arrow(u, v) and not self._is_arrow(v, u)

    def rule_1(self, a: str, b: str, c: str) -> None:
        assert self._is_arrow(a, b)
        assert self._is_line(b, c)
        assert not self.case.are_adjacent(a, c)
        assert not self._is_v_structure(a, b, c)
        self._direct(b, c)

    def rule_2(self, a: str, b: str, c: str) -> None:
        assert self._is_arrow(a, b)
        assert self._is_arrow(b, c)
        assert self._is_line(a, c)
        self._direct(a, c)

    def rule_3(self, a: str, b: str, c: str, d: str) -> None:
        assert all(self._is_line(a, other) for other in (b, c, d))
        assert self._is_arrow(b, d)
        assert self._is_arrow(c, d)
        assert not self.case.are_adjacent(b, c)
        assert not self._is_v_structure(b, a, c)
        self._direct(a, d)

    def _is_v_structure(self, first: str, collider: str, second: str) -> bool:
        a, c, b = self.case.nodes(f"{first}, {collider} and {second}")
        return (min(a, b), c, max(a, b)) in v_structures(self.case.group[0])

    def no_meek(self) -> None:
        pass  # the CPDAG that comes next would differ

    def cpdag(self, arrows: str | None, lines: str | None) -> None:
        expected = cpdag(self.case.group)
        assert set(self.case.edges(arrows) if arrows else ()) == expected.directed == self.directed
        assert set(self.case.edges(lines, "--") if lines else ()) == expected.undirected

    def members(self, n: str, again: str) -> None:
        assert int(n) == int(again) == len(self.case.group) > 1

    def one_member(self) -> None:
        assert len(self.case.group) == 1

    def meaning(self, meaning: str) -> None:
        relation, x, y = self.case.claim
        assert meaning == _MEANINGS[relation, self.case.reading].format(x=self.case.names[x], y=self.case.names[y])

    def _bears(self, paths: str) -> set[Pair]:
        """Check that a graph of just these paths makes the claim hold; return its edges."""
        walks = [[self.case.names.index(name) for name in path.split("->")] for path in paths.split(" and ")]
        graph = nx.DiGraph([edge for walk in walks for edge in pairwise(walk)])
        graph.add_nodes_from(range(len(self.case.names)))
        assert self.case.claim in claims(graph, self.case.reading)
        return set(graph.edges)

    def shared(self, paths: str) -> None:
        assert self._bears(paths) <= cpdag(self.case.group).directed

    def covered(self, groups: str) -> None:
        left = list(self.case.group)
        for place, group in enumerate(groups.split("; ")):
            found = re.fullmatch(r"(.*) in (\d+)" + (" of the others" if place else ""), group)
            edges = self._bears(found[1])
            served = [member for member in left if edges <= set(member.edges)]
            assert len(served) == int(found[2]) > 0
            left = [member for member in left if member not in served]
        assert not left

    def never_an_edge(self, first: str, second: str) -> None:
        assert not self.case.are_adjacent(first, second)
        assert (self.case.names.index(first), self.case.names.index(second)) == self.case.claim[1:]

    def holds_in_one(self) -> None:
        assert len(self.case.group) == self.case.holds_in == 1

    def holds_in_all(self, n: str) -> None:
        assert len(self.case.group) == self.case.holds_in == int(n) > 1

    def fails(self, graph: str, failure: str) -> None:
        edges = set() if graph == "without edges" else set(self.case.edges(graph))
        (member,) = (member for member in self.case.group if set(member.edges) == edges)
        assert self.case.claim not in claims(member, self.case.reading)
        check_failure(failure, member, self.case)

    def fails_in_one(self) -> None:
        assert len(self.case.group) == 1

    def fails_in_all(self, n: str) -> None:
        assert self.case.holds_in == 0
        assert len(self.case.group) == int(n) > 1

    def holds_in_some(self, holds_in: str, n: str) -> None:
        assert self.case.holds_in == int(holds_in) > 0
        assert len(self.case.group) == int(n)


def _runs(kinds: list[str]) -> list[tuple[str, int]]:
    runs: list[tuple[str, int]] = []
    for kind in kinds:
        if runs and runs[-1][0] == kind:
            runs[-1] = kind, runs[-1][1] + 1
        else:
            runs.append((kind, 1))
    return runs


def check_failure(failure: str, graph: nx.DiGraph, case: Case) -> None:
    """Check what is said of one graph in which the claim fails."""
    _, x, y = case.claim
    first, second = case.names[x], case.names[y]
    relatives = {
        "child": graph.successors,
        "parent": graph.predecessors,
        "descendant": lambda node: nx.descendants(graph, node),
        "ancestor": lambda node: nx.ancestors(graph, node),
    }
    if failure == f"{first} and {second} are not adjacent":
        assert not case.are_adjacent(first, second)
    elif failure == f"the edge is {second}->{first}":
        assert graph.has_edge(y, x)
    elif failure == f"no directed path leads from {first} to {second}":
        assert not nx.has_path(graph, x, y)
    elif failure == f"{first}->{second} is an edge":
        assert graph.has_edge(x, y)
    elif failure == f"the only directed path from {first} to {second} is the edge {first}->{second}":
        assert list(nx.all_simple_paths(graph, x, y)) == [[x, y]]
    elif found := re.fullmatch(r"(.*) has (.*), (.*) has (.*), and they have none in common", failure):
        assert (found[1], found[3]) == (first, second)
        sets = []
        for node, said in ((x, found[2]), (y, found[4])):
            kind = re.fullmatch(r"(?:no|the) (child|parent|descendant|ancestor)(?:ren|s)?(?: (.*))?", said)
            sets.append(set(case.nodes(kind[2])) if kind[2] else set())
            assert sets[-1] == set(relatives[kind[1]](node))
        assert sets[0].isdisjoint(sets[1])
    else:
        _check_cuts(failure, graph, case)


def _check_cuts(failure: str, graph: nx.DiGraph, case: Case) -> None:
    relation, x, y = case.claim
    first, second = case.names[x], case.names[y]
    forth = relation == "has_collider"
    tail = "and no other variable descends from both" if forth else "and no other variable is an ancestor of both"
    said, _, end = failure.rpartition(", ")
    assert end == tail
    walked = graph if forth else graph.reverse()
    pattern = (
        rf"all directed paths from {first} and {second} to (.*?) contain (.*?)"
        if forth
        else rf"all directed paths from (.*?) to {first} and {second} contain (.*?)"
    )
    cuts = re.findall(pattern + r"(?: and (?=all)|$)", said)
    assert cuts
    assert {case.names.index(k) for k, _ in cuts} == nx.descendants(walked, x) & nx.descendants(walked, y)
    for k, cut in cuts:
        for start in (x, y):
            for path in nx.all_simple_paths(walked, start, case.names.index(k)):
                assert case.names.index(cut) in path[:-1]


_THROUGH = "a directed path leads from {x} to {y} through some other variable"
_MEANINGS = {
    ("is_ancestor", "direct"): "a directed path leads from {x} to {y}, but no edge {x}->{y} does",
    ("is_ancestor", "path"): _THROUGH,
    ("is_ancestor", "ancestral"): _THROUGH,
    ("has_collider", "direct"): "some variable is a child of both {x} and {y}",
    ("has_collider", "path"): "directed paths from {x} and from {y} meet in a third variable and share only that one",
    ("has_collider", "ancestral"): "some third variable is a descendant of both {x} and {y}",
    ("has_confounder", "direct"): "some variable is a parent of both {x} and {y}",
    ("has_confounder", "path"): "directed paths to {x} and to {y} start in a third variable and share only that one",
    ("has_confounder", "ancestral"): "some third variable is an ancestor of both {x} and {y}",
} | {("is_parent", reading): "{x} is a parent of {y}" for reading in ("direct", "path", "ancestral")}

_PATTERNS: list[tuple[str, str, Callable[..., None]]] = [
    (
        r"The premise states (?P<correlations>\d+) correlations? and (?P<independences>\d+) independences? of the "
        r"variables (?P<names>.*?)(?P<rest>; what it does not state to be independent is dependent|, by minimal sets "
        r"only; a pair is dependent given any set that contains none of those stated for it)\.",
        "facts",
        _Reader.facts,
    ),
    (
        r"Start with an edge between every two variables and remove those between independent ones: (?P<removed>.*)\.",
        "skeleton",
        _Reader.removed,
    ),
    (
        r"Start with an edge between every two variables; no two are independent given any set, so all edges stay\.",
        "skeleton",
        _Reader.none_removed,
    ),
    (r"The skeleton is (?P<edges>.*)\.", "left", _Reader.left),
    (r"The skeleton has no edge\.", "left", _Reader.nothing_left),
    (
        r"(?P<first>.*)->(?P<collider>.*)<-(?P<second>.*) is a v-structure: (?P=first) and (?P=second) are not "
        r"adjacent, both are adjacent to (?P=collider), and (?P=collider) is not in the set that separates them "
        r"\((?P<given>.*)\)\.",
        "v",
        _Reader.v_structure,
    ),
    (
        r"There is no v-structure: any common neighbour of two variables without an edge is in the set that separates "
        r"them\.",
        "v",
        _Reader.no_v_structure,
    ),
    (
        r"Meek's rule 1: (?P<a>.*)->(?P<b>.*) and (?P=b)--(?P<c>.*), where (?P=a) and (?P=c) are not adjacent; so "
        r"(?P=b)->(?P=c), since (?P=c)->(?P=b) would make the v-structure (?P=a)->(?P=b)<-(?P=c), which was not "
        r"found\.",
        "meek",
        _Reader.rule_1,
    ),
    (
        r"Meek's rule 2: (?P<a>.*)->(?P<b>.*)->(?P<c>.*) and (?P=a)--(?P=c); so (?P=a)->(?P=c), since (?P=c)->(?P=a) "
        r"would make a cycle\.",
        "meek",
        _Reader.rule_2,
    ),
    (
        r"Meek's rule 3: (?P<a>.*)--(?P<b>.*)->(?P<d>.*), (?P=a)--(?P<c>.*)->(?P=d) and (?P=a)--(?P=d), where (?P=b) "
        r"and (?P=c) are not adjacent; so (?P=a)->(?P=d), since (?P=d)->(?P=a) would make a cycle or the v-structure "
        r"(?P=b)->(?P=a)<-(?P=c), which was not found\.",
        "meek",
        _Reader.rule_3,
    ),
    (r"Meek's rules direct no further edge\.", "meek", _Reader.no_meek),
    (
        r"The CPDAG has (?:no arrow|the arrows? (?P<arrows>.*)) and (?:no undirected edge|the undirected edges? "
        r"(?P<lines>.*))\.",
        "cpdag",
        _Reader.cpdag,
    ),
    (
        r"The rest can be directed in (?P<n>\d+) ways without a cycle or another v-structure: the class has "
        r"(?P<again>\d+) graphs, which (?:imply the stated independences|have the stated minimal sets) and no other\.",
        "members",
        _Reader.members,
    ),
    (
        r"Nothing is left to direct: the class has 1 graph, which (?:implies the stated independences|has the stated "
        r"minimal sets) and no other\.",
        "members",
        _Reader.one_member,
    ),
    (r"The hypothesis says that (?P<meaning>.*)\.", "meaning", _Reader.meaning),
    (r"The CPDAG has (?P<paths>.*), and so has every graph of the class\.", "grounds", _Reader.shared),
    (
        r"Not the same edges bear it out in all graphs of the class, but each has some: (?P<groups>.*)\.",
        "grounds",
        _Reader.covered,
    ),
    (
        r"(?P<first>.*) and (?P<second>.*) are not adjacent, so no graph has the edge (?P=first)->(?P=second)\.",
        "grounds",
        _Reader.never_an_edge,
    ),
    (r"So the hypothesis holds in the only graph\.", "count", _Reader.holds_in_one),
    (r"So the hypothesis holds in all (?P<n>\d+) graphs\.", "count", _Reader.holds_in_all),
    (r"The graph (?P<graph>.*) is in the class, and there it fails: (?P<failure>.*)\.", "grounds", _Reader.fails),
    (r"This is the only graph\.", "count", _Reader.fails_in_one),
    (r"It holds in none of the (?P<n>\d+) graphs\.", "count", _Reader.fails_in_all),
    (r"It holds in (?P<holds_in>\d+) of the (?P<n>\d+) graphs\.", "count", _Reader.holds_in_some),
]
