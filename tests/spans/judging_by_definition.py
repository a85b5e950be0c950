"""Judging extracted pairs by the definitions, in plain loops: shares no code with the package.

A corpus is a list of rows (gold, predicted), each a list of pairs (cause, effect, causality, sententiality).
"""

from __future__ import annotations

from itertools import permutations

LINE = 0.75
EDGES = set(".,;:!?\"'-()[]{}")


def table(span: str) -> str:
    """Lower case; one leading article with its spaces gone; then punctuation from both ends; then spaces."""
    span = span.lower().strip()
    words = span.split(None, 1)
    if len(words) == 2 and words[0] in ("the", "a", "an"):
        span = words[1]
    while span and span[0] in EDGES:
        span = span[1:]
    while span and span[-1] in EDGES:
        span = span[:-1]
    return span.strip()


def collapsed(span: str) -> str:
    return " ".join(table(span).split())


def stable(span: str) -> str:
    for _ in range(len(span) + 2):
        span = collapsed(span)
    return span


def shared_tokens(one: str, other: str) -> tuple[int, int, int]:
    left, right = one.split(), other.split()
    m, n, shared = len(left), len(right), 0
    for token in left:
        if token in right:
            right.remove(token)
            shared += 1
    return shared, m, n


def described_f1(one: str, other: str) -> float:
    shared, m, n = shared_tokens(stable(one), stable(other))
    return 2 * shared / (m + n) if m + n else 1.0


def released_f1(one: str, other: str, norm=table) -> float:
    shared, m, n = shared_tokens(norm(norm(one)), norm(norm(other)))
    if m == 0 and n == 0:
        return 1.0
    if m == 0 or n == 0:
        return 0.0
    precision, recall = shared / m, shared / n
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def views(level: str):
    """Return what of a pair a level looks at: a list of the places of its spans."""
    return {"pair": (0, 1), "cause": (0,), "effect": (1,)}[level]


def released_scores(corpus, level: str) -> dict[str, tuple[float, float, float]]:
    """Exact and token scores of the released code: best partners, and hits over both sums."""
    places = views(level)
    n_predicted = sum(len(predicted) for _, predicted in corpus)
    n_gold = sum(len(gold) for gold, _ in corpus)
    hits, for_predicted, for_gold = 0, 0.0, 0.0

    def key(pair):
        return tuple(table(pair[place]) if level == "pair" else table(table(pair[place])) for place in places)

    def score(one, other):
        parts = [released_f1(one[place], other[place]) for place in places]
        total = 0.0
        for part in parts:
            total += part
        return total / len(parts)

    for gold, predicted in corpus:
        for one in predicted:
            if key(one) in [key(other) for other in gold]:
                hits += 1
            best = 0.0
            for other in gold:
                best = max(best, score(one, other))
            for_predicted += best
        for other in gold:
            best = 0.0
            for one in predicted:
                best = max(best, score(one, other))
            for_gold += best
    found = {}
    for tier, ours, theirs in (("exact", hits, hits), ("token", for_predicted, for_gold)):
        precision = ours / n_predicted if n_predicted else 0.0
        recall = theirs / n_gold if n_gold else 0.0
        found[tier] = (precision, recall, f1(precision, recall))
    return found


def best_assignment(scores: list[list[float]]) -> tuple[float, list[tuple[int, int]]]:
    """Try every one-to-one assignment that uses the whole shorter side."""
    m, n = len(scores), len(scores[0]) if scores else 0
    if m > n:
        total, chosen = best_assignment([[scores[i][j] for i in range(m)] for j in range(n)])
        return total, [(i, j) for j, i in chosen]
    options = []
    for columns in permutations(range(n), m):
        total = sum(scores[i][j] for i, j in enumerate(columns))
        options.append((total, list(enumerate(columns))))
    return max(options, key=lambda option: option[0]) if options else (0.0, [])


def described_scores(corpus, level: str) -> dict[str, tuple[float, float, float]]:
    """Exact and token scores one to one: multiset intersection, and the best assignment."""
    places = views(level)
    n_predicted = sum(len(predicted) for _, predicted in corpus)
    n_gold = sum(len(gold) for gold, _ in corpus)
    hits, soft = 0, 0.0
    for gold, predicted in corpus:
        left = [tuple(stable(pair[place]) for place in places) for pair in gold]
        for pair in predicted:
            key = tuple(stable(pair[place]) for place in places)
            if key in left:
                left.remove(key)
                hits += 1
        scores = [[sum(described_f1(a[k], b[k]) for k in places) / len(places) for b in gold] for a in predicted]
        soft += best_assignment(scores)[0] if gold and predicted else 0.0
    found = {}
    for tier, credit in (("exact", hits), ("token", soft)):
        precision = credit / n_predicted if n_predicted else 0.0
        recall = credit / n_gold if n_gold else 0.0
        found[tier] = (precision, recall, f1(precision, recall))
    return found


def released_buckets(corpus) -> dict[str, int]:
    """The buckets of the released code, without embeddings."""
    found: dict[str, int] = {}

    def add(name):
        found[name] = found.get(name, 0) + 1

    def overlap(one, other):
        return released_f1(one, other, collapsed)

    for gold, predicted in corpus:
        for pair in predicted:
            cause, effect = pair[0], pair[1]
            best, nearest = -1.0, None
            for other in gold:
                score = (overlap(cause, other[0]) + overlap(effect, other[1])) / 2
                if score > best:
                    best, nearest = score, other
            if any(collapsed(cause) == collapsed(g[0]) and collapsed(effect) == collapsed(g[1]) for g in gold):
                add("exact")
                continue
            if nearest is not None:
                if overlap(cause, nearest[1]) >= LINE and overlap(effect, nearest[0]) >= LINE:
                    add("switched")
                    continue
                cause_ok = collapsed(cause) == collapsed(nearest[0]) or overlap(cause, nearest[0]) >= LINE
                effect_ok = collapsed(effect) == collapsed(nearest[1]) or overlap(effect, nearest[1]) >= LINE
                if effect_ok and not cause_ok:
                    add("effect correct, cause wrong")
                    continue
                if cause_ok and not effect_ok:
                    add("cause correct, effect wrong")
                    continue
                if best > 0:
                    add("partial")
                    continue
            add("spurious" if collapsed(cause) and collapsed(effect) else "other")
        if not predicted:
            for _ in gold:
                add("no C-E pair")
    return found


def released_label_f1(corpus, place: int, name: str) -> float:
    """Label F1 of a class on pairs whose spans are the same in lower case; the first such gold pair counts."""
    hits = called = true = 0
    for gold, predicted in corpus:
        for pair in predicted:
            for other in gold:
                if all(pair[k].lower().strip() == other[k].lower().strip() for k in (0, 1)):
                    called += pair[place].lower() == name.lower()
                    true += other[place].lower() == name.lower()
                    hits += pair[place].lower() == other[place].lower() == name.lower()
                    break
    precision, recall = (hits / called if called else 0.0), (hits / true if true else 0.0)
    return f1(precision, recall)


def token_set_f1(one: str, other: str) -> float:
    a, b = set(one.lower().split()), set(other.lower().split())
    if not a and not b:
        return 1.0
    return 2 * sum(token in b for token in a) / (len(a) + len(b))


def kappa(both) -> float | None:
    """Cohen's kappa from relative frequencies."""
    n = len(both)
    observed = sum(one == other for one, other in both) / n
    labels = {label for pair in both for label in pair}
    expected = sum(
        (sum(one == label for one, _ in both) / n) * (sum(other == label for _, other in both) / n) for label in labels
    )
    return None if abs(1 - expected) < 1e-12 else (observed - expected) / (1 - expected)
