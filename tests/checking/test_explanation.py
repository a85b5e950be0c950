"""Explanations: no sentence may be false."""

import json
import shutil
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause.checking.explanation import explain, explain_row, explain_text
from corr2cause.dataset.generating import Target, generate
from corr2cause.dataset.options import GenerationOptions, Mode, PerturbationOptions
from corr2cause.dataset.perturbing import perturb
from corr2cause.dataset.reading import open_dataset
from corr2cause.errors import FileError, OptionError, ParseError, SizeError
from corr2cause.graphs.fitting import Verdict
from corr2cause.graphs.terms import Reading
from corr2cause.text.facts import Hypothesis
from corr2cause.text.naming import letters
from corr2cause.text.verbalisation import verbalise_hypothesis, verbalise_premise
from corr2cause.text.wording import Claim
from tests.checking.step_reader import Case, check_steps
from tests.deriving.test_derivation import IMPOSSIBLE, RELATIONS, premise_of
from tests.oracles.equivalence import cpdag, members, representative_classes, skeleton
from tests.oracles.separation import minimal, separations, statements
from tests.strategies import digraphs

A, B, C, D = range(4)
WORDS = ("sleep", "income", "a cause", "coffee", "NA", "Ärger")
CHAIN = verbalise_premise(premise_of(3, {(A, C, (B,))}))


def check(group, is_minimal, claim, pair, reading, names=None) -> None:
    """Explain one question, and read every sentence back."""
    names = names or letters(len(group[0]))
    implied = separations(group[0])
    premise = premise_of(len(names), minimal(implied) if is_minimal else implied, is_minimal, names)
    hypothesis = Hypothesis(claim, names[pair[0]], names[pair[1]])
    found = explain(verbalise_premise(premise), verbalise_hypothesis(hypothesis), reading)
    case = Case(names, group, is_minimal, (RELATIONS[claim], *pair), reading.value)
    check_steps(found.steps(), case)
    assert found.label == case.label
    assert found.verdict is Verdict.DETERMINED


@pytest.mark.parametrize("is_minimal", [False, True])
@pytest.mark.parametrize("n", [2, 3])
def test_every_explanation_of_two_and_three_variables_is_true(n, is_minimal):
    for group in representative_classes(n).values():
        for reading in Reading:
            for claim in Claim:
                for pair in permutations(range(n), 2):
                    check(group, is_minimal, claim, pair, reading)


@pytest.mark.parametrize("reading", list(Reading))
def test_every_explanation_of_four_variables_is_true(reading):
    for group in representative_classes(4).values():
        for claim in Claim:
            for pair in permutations(range(4), 2):
                check(group, False, claim, pair, reading)


@settings(max_examples=40, deadline=None)
@given(
    digraphs(min_n=5, max_n=6),
    st.booleans(),
    st.sampled_from(Claim),
    st.sampled_from(Reading),
    st.permutations(range(5)),
)
def test_explanations_of_random_graphs_are_true(graph, is_minimal, claim, reading, order):
    check(members(graph), is_minimal, claim, tuple(order[:2]), reading)


@settings(max_examples=20, deadline=None)
@given(digraphs(min_n=4, max_n=6), st.sampled_from(Claim), st.permutations(range(4)))
def test_words_serve_as_names(graph, claim, order):
    names = tuple(name.replace(" ", "_") for name in WORDS[: len(graph)])
    check(members(graph), False, claim, tuple(order[:2]), Reading.PATH, names)


@settings(max_examples=30, deadline=None)
@given(digraphs(min_n=3, max_n=5), st.sampled_from(Claim), st.sampled_from(Reading))
def test_json_holds_the_same_facts(graph, claim, reading):
    group = members(graph)
    names = letters(len(graph))
    premise = verbalise_premise(premise_of(len(graph), separations(graph)))
    found = explain(premise, verbalise_hypothesis(Hypothesis(claim, "A", "C")), reading)
    values = json.loads(json.dumps(found.to_json()))
    expected = cpdag(group)
    assert {tuple(map(names.index, edge)) for edge in values["arrows"]} == expected.directed
    assert {tuple(map(names.index, edge)) for edge in values["lines"]} == expected.undirected
    assert {tuple(map(names.index, edge)) for edge in values["skeleton"]} == set(skeleton(graph))
    assert values["class_size"] == len(group)
    assert values["label"] == int(values["holds_in"] == len(group))
    assert values["steps"] == list(found.steps())
    assert (values["counterexample"] is None) == (values["label"] == 1)
    assert sum(witness["in"] for witness in values["witnesses"]) == (len(group) if values["label"] else 0)
    assert (values["premise"], values["verdict"], values["reading"]) == (premise, "determined", reading.value)


def test_prose_has_the_sentences_of_the_steps():
    found = explain(CHAIN, "A directly causes B.")
    prose = " ".join(str(found).split())
    for step in found.steps()[:-1]:
        sentence = step.partition(". ")[2]
        assert all(word in prose for word in sentence.split())
    assert str(found).endswith("\n\nTherefore: No.")
    assert all(len(line) <= 60 for line in found.prose(60).splitlines())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows") / "data"
    generate(GenerationOptions(n=4, reading=Reading.PATH), Target(folder, ["parquet"]))
    perturb(open_dataset(folder), PerturbationOptions(Mode.WORDS, open_dataset(folder).splits))
    return folder


class TestNoClass:
    """A premise that determines no class has no label, and the explanation says why."""

    def explain(self, n, stated, is_minimal=False, **changes):
        premise = premise_of(n, stated, is_minimal)
        text = verbalise_premise(premise)
        for old, new in changes.get("replace", ()):
            assert old in text
            text = text.replace(old, new)
        found = explain(text, "A directly causes B.")
        assert found.label is None
        assert found.to_json()["nli_label"] is None
        assert found.to_json()["holds_in"] is None
        assert "Therefore: Yes." not in found.prose()
        assert "CPDAG has" not in found.prose()
        return found

    def test_the_example_that_no_dag_satisfies(self):
        found = self.explain(4, IMPOSSIBLE)
        assert found.verdict is Verdict.UNSATISFIABLE
        assert found.ending == "Therefore: no answer, for no graph fits the premise."
        assert found.to_json()["faults"]

    def test_a_pair_that_points_both_ways(self):
        found = self.explain(4, {(A, C, ()), (B, D, ()), (A, D, ())})
        assert "The edge would have to point both ways between B and C." in found.steps()[-2]

    def test_a_pair_stated_both_ways(self):
        found = self.explain(3, {(A, B, ())}, replace=[("follows:", "follows: A correlates with B.")])
        assert found.steps()[-2].endswith("The premise states both a correlation and an independence of A and B.")
        assert found.verdict is Verdict.UNSATISFIABLE

    def test_a_silent_pair(self):
        found = self.explain(3, {(A, C, (B,))}, replace=[(" A correlates with C.", "")])
        assert found.steps()[-2].endswith("The premise states neither a correlation nor an independence of A and C.")
        assert found.ending == "Therefore: no answer, for the premise is incomplete."

    def test_a_missing_statement(self):
        found = self.explain(4, set(statements(4)) - {(A, B, (C,))})
        assert found.verdict is Verdict.INCOMPLETE
        assert found.steps()[-2].endswith("although the premise does not state it: A and B given C.")

    def test_a_statement_too_many(self):
        found = self.explain(3, {(A, B, ()), (A, B, (C,))})
        assert found.verdict is Verdict.UNSATISFIABLE
        assert found.steps()[-2].endswith("although the premise states them to be independent: A and B given C.")

    def test_what_is_missing_is_passed_over_where_something_is_broken(self):
        """A silent pair and an unstated independence do not make a premise unsatisfiable; a false statement does."""
        found = self.explain(4, {(A, B, ()), (A, B, (C,)), (A, D, (B, C))}, replace=[(" B correlates with D.", "")])
        assert found.verdict is Verdict.UNSATISFIABLE
        assert {fault["kind"] for fault in found.to_json()["faults"]} == {"broken"}

    def test_a_set_that_is_not_minimal(self):
        found = self.explain(3, {(A, B, ()), (A, B, (C,)), (A, C, ())}, is_minimal=True)
        assert found.verdict is Verdict.UNSATISFIABLE
        assert found.steps()[-2].endswith("but these have a smaller one: A and B given C.")

    def test_many_faults_are_not_all_listed(self):
        missing = {(A, B, (C,)), (A, C, (B,)), (A, D, (B,)), (B, C, (A,)), (B, D, (A,))}
        found = self.explain(4, set(statements(4)) - missing)
        assert found.steps()[-2].endswith("; 2 more.")
        assert len(found.to_json()["faults"][0]["about"]) == 5


class TestTexts:
    """Premise and hypothesis in one text."""

    def test_the_published_form(self):
        for text in (
            f"Premise: {CHAIN}\nHypothesis: A directly causes B.",
            f"  {CHAIN} Hypothesis:  A directly causes B.\r\n",
        ):
            assert explain_text(text) == explain(CHAIN, "A directly causes B.")

    def test_other_text_is_refused(self):
        with pytest.raises(ParseError, match='expected "Premise: … Hypothesis: …"'):
            explain_text(CHAIN)

    def test_a_strange_variable_is_refused(self):
        with pytest.raises(ParseError, match="'Z' is not one of the variables"):
            explain(CHAIN, "A directly causes Z.")

    def test_too_many_variables_are_refused(self):
        with pytest.raises(SizeError):
            explain(verbalise_premise(premise_of(13, set())), "A directly causes B.")


class TestRows:
    """Rows of data sets, by id."""

    def test_every_label_of_the_data_is_explained(self, folder):
        """Answers come from the statements of the row, in its data set's own reading."""
        dataset = open_dataset(folder)
        for split in dataset.splits:
            for row in dataset.read(split).to_pylist()[::11]:
                found = explain_row(dataset, row["id"])
                assert found.reading is Reading.PATH
                assert found.label == row["label"]
                assert found.nli_label == row["nli_label"]
                assert (found.conclusion.holds_in, found.conclusion.class_size) == (row["holds_in"], row["class_size"])
                edges = found.to_json()["counterexample"]
                assert row["counterexample"] == (edges if edges is None else ", ".join("->".join(e) for e in edges))

    def test_a_perturbed_row_has_the_same_answer(self, folder):
        dataset, perturbed = open_dataset(folder), open_dataset(folder / "perturbation_by_words")
        for identifier in perturbed.read("test", ["id"])["id"].to_pylist()[::50]:
            there, here = explain_row(dataset, identifier), explain_row(perturbed, identifier)
            assert here.reading is Reading.PATH
            assert here.conclusion.holds_in == there.conclusion.holds_in
            assert set(here.way.names).isdisjoint(there.way.names)

    def test_another_reading_may_be_asked_for(self, folder):
        dataset = open_dataset(folder)
        identifier = dataset.read("test", ["id"])["id"][0].as_py()
        assert explain_row(dataset, identifier, Reading.ANCESTRAL).reading is Reading.ANCESTRAL

    def test_an_unknown_row_is_refused(self, folder):
        with pytest.raises(OptionError, match="has no row 'n9'"):
            explain_row(open_dataset(folder), "n9")

    def test_a_perturbation_alone_does_not_know_its_reading(self, folder, tmp_path):
        shutil.copytree(folder / "perturbation_by_words", tmp_path / "alone" / "words")
        alone = open_dataset(tmp_path / "alone" / "words")
        identifier = alone.read("test", ["id"])["id"][0].as_py()
        with pytest.raises(FileError):
            explain_row(alone, identifier)
        assert explain_row(alone, identifier, Reading.PATH).label is not None
        generate(GenerationOptions(n=3), Target(tmp_path / "other", ["parquet"]))
        shutil.copytree(tmp_path / "alone" / "words", tmp_path / "other" / "words")
        with pytest.raises(FileError, match="give --reading"):
            explain_row(open_dataset(tmp_path / "other" / "words"), identifier)


def test_a_reading_may_be_given_by_its_value():
    hypothesis = "A directly causes B."
    assert explain(CHAIN, hypothesis, "path").to_json() == explain(CHAIN, hypothesis, Reading.PATH).to_json()
    with pytest.raises(OptionError, match="--reading: 'none' is not one of direct, path, ancestral"):
        explain(CHAIN, hypothesis, "none")
