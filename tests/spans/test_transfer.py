"""The transfer protocol: the published sizes, its steps by definition, and a detector that learns."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.counts import Counts
from corr2cause.errors import OptionError
from corr2cause.spans.formats.reading import read_corpus
from corr2cause.spans.formats.writing import write_corpus
from corr2cause.spans.rows import Pair, Row
from corr2cause.spans.transfer.model import STRENGTHS, counts_of, train_detector
from corr2cause.spans.transfer.parts import cut
from corr2cause.spans.transfer.running import run_transfer
from tests.cli.running import call

BIOCAUSE = "data/pubmedcausal/biocause1.csv"
SHARED = next((p / "shared" for p in Path(__file__).parents if (p / "shared" / BIOCAUSE).is_file()), None)


def made(n_rows: int, n_causal: int) -> list[Row]:
    return [Row(str(k), f"text {k}", label=k < n_causal) for k in range(n_rows)]


def causal(rows) -> int:
    return sum(row.is_causal for row in rows)


@pytest.mark.parametrize(
    ("n_rows", "n_causal", "test", "test_causal", "balanced"),
    [(251, 51, 76, 15, 72), (652, 50, 196, 15, 70), (596, 300, 179, 90, 414), (3317, 270, 996, 81, 378)],
    ids=["BioCause", "FinCausal", "AltLex", "CTB"],
)
def test_the_sizes_are_those_of_the_published_code(n_rows, n_causal, test, test_causal, balanced):
    parts = cut("x", made(n_rows, n_causal))
    assert (len(parts.test), causal(parts.test), len(parts.balanced)) == (test, test_causal, balanced)
    assert 2 * causal(parts.balanced) == balanced


@pytest.mark.skipif(SHARED is None, reason="biocause1.csv is not beside this repository (../shared/data/pubmedcausal)")
def test_the_sizes_of_the_real_corpus():
    assert SHARED is not None
    parts = cut("BioCause", read_corpus(SHARED / BIOCAUSE).rows)
    assert (len(parts.test), causal(parts.test), len(parts.balanced), parts.n_seen) == (76, 15, 72, 2)
    done = call("spans", "transfer", f"A={SHARED / BIOCAUSE}", "--source", f"B={SHARED / BIOCAUSE}", "--json")
    (found,) = json.loads(done.stdout)["corpora"]
    assert (found["test"], found["test_causal"], found["train"] + found["validation"]) == (76, 15, 72)
    assert found["within"] == found["cross"]
    assert found["delta"] == 0


SIZES = st.tuples(st.integers(8, 60), st.integers(8, 60), st.integers(0, 5))


@given(SIZES)
@settings(max_examples=30)
def test_the_parts_by_definition(sizes):
    """Disjoint; test stratified; train balanced with the whole smaller class; validation a seventh of it."""
    n_causal, n_other, seed = sizes
    rows = made(n_causal + n_other, n_causal)
    parts = cut("x", rows, seed)
    ids = [row.id for part in (parts.train, parts.validation, parts.test) for row in part]
    assert len(set(ids)) == len(ids)
    assert len(parts.test) == -(-3 * len(rows) // 10)
    assert abs(causal(parts.test) / len(parts.test) - n_causal / len(rows)) <= 1 / len(parts.test)
    left = Counter(row.is_causal for row in rows if row not in parts.test)
    assert causal(parts.balanced) * 2 == len(parts.balanced) == 2 * min(left[True], left[False])
    assert len(parts.validation) == math.ceil(0.1 / 0.7 * len(parts.balanced))
    assert cut("x", rows, seed) == parts


def test_downsampling_is_that_of_the_page_step_by_step():
    """Written anew from the page: positives, then a choice of negatives, joined and shuffled by default_rng(42)."""
    from sklearn.model_selection import train_test_split

    rows = made(100, 30)
    labels = [int(row.is_causal) for row in rows]
    train, _ = train_test_split(range(100), test_size=0.3, stratify=labels, random_state=42)
    rng = np.random.default_rng(42)
    positives, negatives = np.array([k for k in train if k < 30]), np.array([k for k in train if k >= 30])
    both = np.concatenate([positives, rng.choice(negatives, size=21, replace=False)])
    rng.shuffle(both)
    first, second = train_test_split(both, test_size=0.1 / 0.7, stratify=both < 30, random_state=42)
    parts = cut("x", rows)
    assert [int(row.id) for row in parts.train] == first.tolist()
    assert [int(row.id) for row in parts.validation] == second.tolist()


@pytest.mark.parametrize("rows", [made(20, 0), made(20, 1), made(3, 2)])
def test_too_few_rows_are_told(rows):
    with pytest.raises(OptionError, match=r"x has \d+ causal rows of \d+; too few of one kind"):
        cut("x", rows)


def test_rows_without_a_label_are_told():
    with pytest.raises(OptionError, match="row 9 of x is not annotated"):
        cut("x", [*made(20, 9), Row("9", "text")])


def test_repeated_texts_that_leak_into_test_are_counted():
    rows = [Row(str(k), "same" if k < 4 else f"text {k}", label=k % 2 == 0) for k in range(60)]
    parts = cut("x", rows)
    texts = [row.sentence for row in parts.train + parts.validation]
    assert parts.n_seen == sum(row.sentence in texts for row in parts.test)
    assert {cut("x", rows, seed).n_seen for seed in range(8)} - {0}


def talk(word: str, n: int) -> list[Row]:
    """Make rows in which one word marks a cause."""
    return [
        Row(str(k), f"on {'abcdefghij'[k % 10]}x {word if k % 3 == 0 else ''} {'klmnopq'[k % 7]}y", label=k % 3 == 0)
        for k in range(n)
    ]


def test_the_detector_learns_what_marks_a_cause_and_only_that():
    source, same, other = cut("s", talk("causes", 300)), cut("a", talk("causes", 200)), cut("b", talk("brings", 200))
    alike, unlike = run_transfer(source, [same, other])
    assert min(alike.within.f1, alike.cross.f1, unlike.within.f1) > 0.85
    assert unlike.cross.f1 < 0.6
    assert unlike.delta == unlike.cross.f1 - unlike.within.f1 < 0


def test_counts_by_definition():
    rows = made(9, 4)
    said = np.array([True, False, True, False, True, False, False, False, False])
    assert counts_of(rows, lambda _: said) == Counts(hits=2, false_alarms=1, misses=2, correct_rejections=4)


def test_the_strength_is_the_first_of_the_best_on_the_validation_rows():
    """Train every one with scikit-learn alone, and compare what they say of the test rows."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import f1_score
    from sklearn.pipeline import make_pipeline

    parts = cut("x", talk("causes", 100))
    turned = [Row(row.id, row.sentence, label=not row.is_causal) for row in parts.validation]
    chosen = set()
    for validation in (parts.validation, turned, [*parts.validation, *turned[:3]]):
        f1, said = {}, {}
        for strength in STRENGTHS:
            terms = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
            model = make_pipeline(terms, LogisticRegression(C=strength, max_iter=1000))
            model.fit([row.sentence for row in parts.train], [row.is_causal for row in parts.train])
            answers = model.predict([row.sentence for row in validation])
            f1[strength] = f1_score([row.is_causal for row in validation], answers)
            said[strength] = model.predict([row.sentence for row in parts.test]).tolist()
        best = max(STRENGTHS, key=f1.__getitem__)
        chosen.add(best)
        assert train_detector(parts.train, validation)(parts.test).tolist() == said[best]
    assert len(chosen) > 1


def test_the_command_writes_parts_for_other_models(tmp_path):
    for name in ("one", "two"):
        write_corpus(
            tmp_path / f"{name}.json", [Row(r.id, r.sentence, label=r.label) for r in talk(name, 90)], "detection"
        )
    words = ("spans", "transfer", f"Two={tmp_path / 'two.json'}", "--source", tmp_path / "one.json")
    done = call(*words, "--parts", tmp_path / "parts")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2].split()[:5] == ["Two", "35", "7", "27", "9"]
    files = {path.name for path in (tmp_path / "parts").glob("*.json")}
    assert files == {f"{name}_{part}.json" for name in ("one", "Two") for part in ("train", "validation", "test")}
    assert read_corpus(tmp_path / "parts/Two_test.json").rows == cut("Two", talk("two", 90)).test
    assert call(*words, "--parts", tmp_path / "parts").returncode == 1
    done = call("spans", "transfer", tmp_path / "one.json", "--source", tmp_path / "one.json")
    assert (done.returncode, "two corpora have one name" in done.stderr) == (2, True)


def test_every_foreign_layout_can_be_transferred_to(tmp_path):
    """AltLex and CTB say a label; BioCause and FinCausal show pairs."""
    uni = "corpus,doc_id,sent_id,eg_id,index,text,text_w_pairs,seq_label,pair_label,context,num_sents\n" + "".join(
        f"altlex,d,{k},0,i{k},frost {'causes' if k % 2 else 'and'} {k},,{k % 2},{k % 2},,1\n" for k in range(40)
    )
    numbered = "S/N,Sentences,Cause1,Effect1,Label\n" + "".join(
        f"{k},rain {'causes' if k % 2 else 'and'} {k},{'rain,' + str(k) if k % 2 else ','},\n" for k in range(40)
    )
    (tmp_path / "uni.csv").write_text(uni)
    (tmp_path / "bio.csv").write_text(numbered)
    done = call("spans", "transfer", tmp_path / "uni.csv", "--source", tmp_path / "bio.csv", "--json")
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)["corpora"]
    assert (found["test"], found["test_causal"]) == (12, 6)
    assert found["cross"]["f1"] == 1


def test_pairs_are_labels_too():
    rows = [
        Row(str(k), f"t {k}", (Pair("a", "b"),) if k < 8 else (), label=None if k < 8 else False) for k in range(20)
    ]
    assert causal(cut("x", rows).balanced) == 6
