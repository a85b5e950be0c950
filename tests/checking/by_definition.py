"""The statistics again, by definition: loops over plain rows, no codes, no arrays, no regular expressions."""

from __future__ import annotations

from tests.checking.small_data import Row

ALL_SPLITS = ("train", "dev", "test", "reserve")
RELATIONS = ("is_parent", "is_ancestor", "is_child", "is_descendant", "has_collider", "has_confounder")


def tokens(text: str) -> list[str]:
    """Cut character by character: letters, digits and underscores join, everything else but space stands alone."""
    found: list[str] = []
    word = ""
    for char in text + " ":
        if char.isalnum() or char == "_":
            word += char
            continue
        if word:
            found.append(word)
            word = ""
        if not char.isspace():
            found.append(char)
    return found


def dataset_records(splits: dict[str, list[Row]] | list[Row]) -> list[dict[str, object]]:
    """Return what `DatasetRow.to_json` should say, by n and then of all; a plain list is of no known split."""
    by_split = {"": splits} if isinstance(splits, list) else splits
    rows = [row for part in by_split.values() for row in part]
    sizes: list[object] = [*sorted({row["num_variables"] for row in rows}), "all"]
    return [
        _record(
            n,
            {name: [row for row in part if n in ("all", row["num_variables"])] for name, part in by_split.items()},
        )
        for n in sizes
    ]


def _record(n: object, splits: dict[str, list[Row]]) -> dict[str, object]:
    rows = [row for part in splits.values() for row in part]
    premises = {split: {row["premise"] for row in splits.get(split, [])} for split in ALL_SPLITS}
    seen, duplicates, vocabulary = [], 0, set()
    for row in rows:
        duplicates += (row["premise"], row["hypothesis"]) in seen
        seen.append((row["premise"], row["hypothesis"]))
        vocabulary |= {*tokens(row["premise"]), *tokens(row["hypothesis"])}
    known = "" not in splits
    positives = sum(row["label"] for row in rows)
    return {
        "n": n,
        "samples": len(rows),
        **{split: len(splits.get(split, [])) if known else None for split in ALL_SPLITS},
        "tokens_per_premise": _mean([len(tokens(row["premise"])) for row in rows]),
        "tokens_per_hypothesis": _mean([len(tokens(row["hypothesis"])) for row in rows]),
        "positives": positives,
        "positive_percent": 100 * positives / len(rows) if rows else None,
        "vocabulary": len(vocabulary),
        "duplicates": duplicates,
        "premises": len({row["premise"] for row in rows}),
        **{f"premises_{split}": len(premises[split]) if known else None for split in ALL_SPLITS},
        **{
            f"premises_shared_{first}_{second}": len(premises[first] & premises[second]) if known else None
            for first, second in (("train", "dev"), ("train", "test"), ("dev", "test"))
        },
    }


def relation_records(rows: list[Row]) -> list[dict[str, object]]:
    """Return what `RelationRow.to_json` should say, by n and then of all, relation after relation."""
    records = []
    for n in [*sorted({row["num_variables"] for row in rows}), "all"]:
        for relation in RELATIONS:
            asked = [row for row in rows if n in ("all", row["num_variables"]) and row["relation"] == relation]
            positives = len([row for row in asked if row["label"] == 1])
            records.append(
                {
                    "n": n,
                    "relation": relation,
                    "samples": len(asked),
                    "positives": positives,
                    "positive_percent": 100 * positives / len(asked) if asked else None,
                    **{
                        label: len([row for row in asked if row["nli_label"] == label])
                        for label in ("entailment", "neutral", "contradiction")
                    },
                }
            )
    return records


def _mean(numbers: list[int]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
