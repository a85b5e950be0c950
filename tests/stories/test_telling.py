"""Stories and their inverse: nothing is lost, nothing is ungrammatical, and nothing else is taken for a story."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr2cause import streams
from corr2cause.errors import OptionError, ParseError
from corr2cause.text.facts import Hypothesis, Independence, Premise
from corr2cause.text.parsing import _HYPOTHESES, parse_hypothesis, parse_premise
from corr2cause.text.stories.bank import Quantity, domains
from corr2cause.text.stories.reading import is_story, is_story_hypothesis
from corr2cause.text.stories.telling import DRAWS, Story, filled
from corr2cause.text.stories.wording import HYPOTHESES, PAIRS
from corr2cause.text.verbalisation import verbalise_hypothesis, verbalise_premise
from corr2cause.text.wording import Claim, Notation, Wording
from tests.stories.grammar import sentence_problems
from tests.stories.telling import any_premise, premises_of_classes, stories
from tests.text.strategies import hypotheses, premises


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_a_story_reads_back_to_just_its_facts(data):
    premise = data.draw(any_premise())
    story = data.draw(stories(len(premise.names)))
    text = story.tell_premise(premise)
    assert is_story(text)
    assert parse_premise(text) == (replace(premise, names=story.names), Notation.PROSE)
    assert parse_premise(f"\n {text} ") == parse_premise(text)


@given(st.data(), st.sampled_from(Claim))
@settings(max_examples=80, deadline=None)
def test_a_claim_reads_back_too(data, claim):
    story = data.draw(stories(8))
    first, second = data.draw(st.permutations(range(8)))[:2]
    text = story.tell_hypothesis(claim, first, second)
    expected = Hypothesis(claim, story.names[first], story.names[second]), Wording.PARAPHRASE
    assert parse_hypothesis(text, story.names) == parse_hypothesis(text) == expected


def test_a_thousand_stories_of_all_domains_are_grammatical_and_read_back():
    told = 0
    for number in range(1_000):
        domain = domains()[number % len(domains())]
        premise = premises_of_classes()[number * 37 % len(premises_of_classes())]
        premise = premise.with_minimal_sets() if number % 2 else premise
        n, frames = len(premise.names), streams.words(0, "thousand", number, rows=range(1), columns=DRAWS)[0]
        order = streams.permutations(0, "cast", number, rows=range(1), length=len(domain.quantities))[0].tolist()
        story = Story(domain, tuple(domain.quantities[place] for place in order[:n]), frames)
        text = story.tell_premise(premise)
        assert parse_premise(text)[0] == replace(premise, names=story.names)
        claims = [story.tell_hypothesis(claim, *pair) for claim in Claim for pair in [(0, 1), (n - 1, 0)]]
        for sentence in [*(f"{one}." for one in text.removesuffix(".").split(". ")), *claims]:
            assert sentence_problems(sentence) == [], sentence
        told += 1
    assert told == 1_000


@pytest.mark.parametrize(
    "sentence",
    [
        "Hours of sleep is correlated with body weight.",
        "Body weight have a direct effect on hours of sleep.",
        "The number of fans are a direct cause of rain.",
        "Rain and hail is correlated.",
        "Rain and hail are correlated, but becomes independent when we hold fixed snow.",
        "Rain affects something else, which in turn affect hail.",
        "There are a correlation between rain and hail.",
        "There is something else that both rain and hail affects.",
        "Rain is an direct cause of hail.",
        "Rain is correlated with the the hail.",
        "rain is correlated with hail.",
        "Hours of sleep tells us nothing about rain.",
        "A change in hours of sleep directly change rain.",
        "At least one other quantity affect both rain and hail.",
        "Economists has followed two quantities in many countries: rain and hail.",
        "Hours of sleep by itself tell us nothing about rain.",
        "Rain by themselves tells us nothing about hail.",
        "Rain by itself tell us nothing about hail.",
        "Knowing hours of sleep help us to predict rain.",
        "Rain is statistically unrelated to hail, and stay so when we adjust for snow.",
        "There is a correlation between rain and hail, but it disappear when we control for snow.",
        "Suppose that these two has no causes or effects other than one another.",
        "Suppose that these two form a closed system: nothing else affects them, and they affects nothing else.",
        "Assume that no other quantity affect these two or is affected by them.",
    ],
)
def test_the_checker_finds_what_is_wrong(sentence):
    assert sentence_problems(sentence)


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("Suppose that these two form a closed system, so that nothing else affects any of them.", "they may be two"),
        ("All the statistical relations among them are as follows.", "they may be two"),
        ("There is a correlation between rain and hail, which disappears when we control for snow.", "clings"),
        ("Rain and hail are correlated, but become independent when we hold fixed snow.", "intervene"),
        ("Rain and hail are correlated, but become independent when snow is held fixed.", "intervene"),
        ("Rain is correlated with hail, but no longer once we control for any of these sets: snow; fog.", "together"),
        ("In a study of public health, many people were compared by two quantities: rain and hail.", "compared on"),
        ("An association of farmers collects two quantities from its members: rain and hail.", "figures on"),
        ("Here is everything that the numbers say about how they are related.", "they: the numbers"),
        ("Nothing outside these two affects rain.", "untrue"),
        ("Rain tells us nothing about hail.", "by itself"),
        ("Hours of sleep tell us nothing about hail.", "by itself"),
        ("Rain is not correlated with hail.", "less than independent"),
    ],
)
def test_the_checker_finds_what_misleads(sentence, problem):
    assert any(problem in found for found in sentence_problems(sentence))


def test_every_frame_is_told_apart_from_every_sentence_that_is_no_story():
    sleep, weight = Quantity("hours of sleep", True), Quantity("the number of fans", False)
    for frames in HYPOTHESES.values():
        for frame, pair in [(frame, pair) for frame in frames for pair in permutations((sleep, weight))]:
            sentence = filled(frame, *pair)
            assert not any(template.pattern.fullmatch(sentence) for template in _HYPOTHESES), sentence


def test_no_two_frames_say_the_same():
    for table in (HYPOTHESES, PAIRS):
        frames = [frame for of_one_kind in table.values() for frame in of_one_kind]
        assert len(set(frames)) == len(frames) >= 12
    assert all(len(frames) >= 3 for table in (HYPOTHESES, PAIRS) for frames in table.values())


@given(premises(), hypotheses(), st.sampled_from(Notation))
@settings(max_examples=50, deadline=None)
def test_other_texts_are_no_stories(premise: Premise, hypothesis, notation):
    assert not is_story(verbalise_premise(premise, notation))
    for wording in Wording:
        said = verbalise_hypothesis(hypothesis, wording)
        assert parse_hypothesis(said)[0] == hypothesis
        assert not is_story_hypothesis(said)


def story(n: int = 3, domain: str = "health") -> Story:
    (found,) = (one for one in domains() if one.name == domain)
    return Story(found, found.quantities[:n], streams.words(0, "x", rows=range(1), columns=DRAWS)[0])


CHAIN = Premise(("A", "B", "C"), ((0, 1), (0, 2), (1, 2)), (Independence(0, 2, (1,)),))


def test_small_sets_come_first_and_all_sets_are_one_phrase():
    names = ("age", "alcohol consumption", "blood pressure", "body weight", "coffee consumption")
    told = story(5)
    every = [given for size in (1, 2, 3) for given in combinations((2, 3, 4), size)]

    def premise(sets):
        related = tuple(combinations(range(5), 2))
        return Premise(names, related, tuple(Independence(0, 1, given) for given in sorted(sets)))

    def last_words(sets):
        return told.tell_premise(premise(sets)).split(". ")[3].split(" for ")[1]

    assert last_words(every) == "any one or more of the other quantities"
    assert last_words(every[:1]) == "blood pressure"
    assert last_words([(2, 3, 4), (2, 3), (4,)]) == (
        "any one of these sets: coffee consumption; blood pressure and body weight; "
        "blood pressure, body weight and coffee consumption"
    )
    every_set_of_two = premise([(2,), (2, 3), (3,)]).independences
    four = Premise(names[:4], tuple(combinations(range(4), 2)), every_set_of_two)
    assert " for any one or more of the other quantities." in story(4).tell_premise(four)
    for sets in (every, every[1:], every[:-1]):
        assert parse_premise(told.tell_premise(premise(sets)))[0] == premise(sets)


def test_one_other_quantity_is_not_one_or_more():
    text = story().tell_premise(CHAIN)
    assert " for alcohol consumption." in text
    with pytest.raises(ParseError, match="not several"):
        parse_premise(text.replace(" for alcohol consumption.", " for any one or more of the other quantities."))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("three quantities", "four quantities", "3 variables are named, not 4"),
        ("three quantities", "umpteen quantities", "3 variables are named, not umpteen"),
        ("age, alcohol consumption", "age, gin consumption", "'gin consumption' is no quantity"),
        ("age, alcohol consumption", "age, age", "twice"),
        ("lcohol consumption", "lcohol  consumption", "is no quantity"),
    ],
)
def test_a_story_that_was_changed_is_refused(old, new, problem):
    text = story().tell_premise(CHAIN)
    assert old in text
    with pytest.raises(ParseError, match=problem):
        parse_premise(text.replace(old, new, 1))


def test_a_pair_is_spoken_of_once():
    text = story().tell_premise(CHAIN)
    last = text.removesuffix(".").rsplit(". ", 1)[1]
    with pytest.raises(ParseError, match="before"):
        parse_premise(f"{text} {last}.")
    with pytest.raises(ParseError, match="no such sentence"):
        parse_premise(f"{text} It rains.")
    with pytest.raises(ParseError, match="does not agree"):
        parse_premise(f"{text.replace(last, 'Age are correlated with blood pressure')}")
    with pytest.raises(ParseError, match="setting"):
        parse_premise(text.split(". ")[0] + ".")


def test_claims_about_strangers_are_refused():
    told = story().tell_hypothesis(Claim.DIRECT, 0, 1)
    with pytest.raises(ParseError, match="not one of the variables"):
        parse_hypothesis(told, ("age", "body weight"))
    with pytest.raises(ParseError, match="is no quantity"):
        parse_hypothesis("Gin has a direct effect on age.")
    with pytest.raises(ParseError, match="does not agree"):
        parse_hypothesis("Age have a direct effect on body weight.")
    with pytest.raises(ParseError, match="twice"):
        parse_hypothesis("Age has a direct effect on age.")


@pytest.mark.parametrize(
    "premise", [Premise(("A", "B"), (), ()), Premise(("A", "B"), ((0, 1),), (Independence(0, 1),))]
)
def test_facts_that_contradict_themselves_are_not_told(premise):
    with pytest.raises(OptionError, match="A and B"):
        story(2).tell_premise(premise)


def test_a_quantity_of_another_domain_is_refused():
    text = story().tell_premise(CHAIN)
    mixed = text.replace("blood pressure", "rainfall").replace("Blood pressure", "Rainfall")
    assert mixed != text
    with pytest.raises(ParseError, match="stories of health do not tell of 'rainfall'"):
        parse_premise(mixed)
