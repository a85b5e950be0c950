"""A small checker of English: articles, number of nouns, verbs, and turns of phrase that mislead.

It knows nothing of the bank or the frames. Number comes from the form of the head noun, not from any table of the
package; which nouns need no article is listed here.
"""

from __future__ import annotations

import re

# Nouns that cannot be counted, or that can stand without an article when something else specifies them.
UNCOUNTABLE = frozenset(
    {
        *("ability", "age", "attendance", "brightness", "capacity", "consumption", "cover", "coverage"),
        *("damage", "debt", "density", "endurance", "erosion", "expectancy", "funding", "giving"),
        *("income", "intake", "life", "load", "loneliness", "moisture", "motivation", "noise"),
        *("pollution", "power", "pressure", "production", "profit", "rainfall", "revenue"),
        *("satisfaction", "size", "speed", "spending", "spirit", "strength", "stress"),
        *("temperature", "time", "traffic", "trust", "usage", "weight", "yield"),
    }
)
# What can follow the head of a noun phrase.
AFTER_HEAD = re.compile(r" (?:of|in|at|on|from|to|for|per|by|smoked|spent|alone|out|among|outside|that|, )\b")
NUMBER_WORDS = frozenset(
    {
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "many",
        "these",
        "both",
    }
)
PLURALS = frozenset({"people", "they", "makers"})
VERBS = {  # third person singular: plural
    "is": "are",
    "has": "have",
    "was": "were",
    **{
        f"{plural}s": plural
        for plural in (
            *("affect", "tell", "change", "compare", "monitor", "collect", "show", "speak", "become", "remain", "play"),
            *("disappear", "appear", "form", "keep", "help", "stay", "note", "report", "record"),
        )
    },
    "publishes": "publish",
    "watches": "watch",
    "vanishes": "vanish",
}
PLURAL_VERBS = frozenset(VERBS.values())
PAST = frozenset({"looked", "measured", "recorded", "asked", "reported"})
IMPERATIVE = frozenset({"Suppose", "Assume"})

MISLEADING = {
    r"\b(?:any|all|none) of them\b|\bamong them\b": "they may be two: either of them, between them",
    r"\bthese one\b|\bone quantities\b": "one is no plural",
    r" and [^,.]*, which ": "'which' clings to the quantity before it",
    r"\b[Hh](?:old|eld|olding)\b.* fixed\b|\bfixed\b": "to hold fixed is to intervene; one conditions by controlling",
    r"\bany of these\b": "any one of these, or all together?",
    r"\bcompared? [^:]*\bby\b": "things are compared on quantities, not by them",
    r"\bcollects? (?:\w+ )?quantities\b": "figures on quantities are collected, not quantities",
    r"\bhow they\b": "they: the numbers, or the quantities?",
    r"^(?!Suppose|Assume).*\b(?:[Nn]othing (?:else|outside)|no other quantity)\b.*\baffect": "untrue unless supposed",
    r"\b(?:tells?|told) us nothing\b(?<! by itself tells us nothing)(?<! by themselves tell us nothing)": (
        "by itself, or whatever else is known?"
    ),
    r"\bnot correlated\b|\buncorrelated\b": "less than independent",
}
"""Turns of phrase that say something else than the premise does, and why."""


def is_plural(phrase: str) -> bool:
    """Tell the number of a noun phrase from the form of its head."""
    if " and " in phrase:
        return True
    words = AFTER_HEAD.split(f"{phrase} ", maxsplit=1)[0].split()
    if words[0].lower() in NUMBER_WORDS:
        return True
    if words[0] == "Knowing":
        return False
    head = words[-1]
    return head.lower() in PLURALS or (head.endswith("s") and not head.endswith("ss"))


def phrase_problems(phrase: str) -> list[str]:
    """Find what is wrong with one noun phrase as it stands inside a sentence."""
    problems = []
    words = phrase.split()
    if phrase != " ".join(words) or phrase != phrase.lower():
        problems.append("it has capitals or odd spaces")
    if words[0] in ("a", "an"):
        problems.append("a quantity is definite: no indefinite article")
    head = AFTER_HEAD.split(f"{phrase} ", maxsplit=1)[0].split()[-1]
    if not is_plural(phrase) and head not in UNCOUNTABLE and words[0] != "the":
        problems.append(f"{head!r} can be counted: it needs an article")
    if is_plural(phrase) and words[0] == "the":
        problems.append("a plural quantity has no article")
    return problems


def sentence_problems(sentence: str) -> list[str]:
    """Find what is wrong with the agreement of one sentence."""
    problems = []
    if not re.fullmatch(r"[A-Z][^<>{}|]*\.", sentence) or "  " in sentence:
        problems.append("it does not begin with a capital, end with a full stop, or has odd characters")
    problems += [why for pattern, why in MISLEADING.items() if re.search(pattern, sentence)]
    if re.search(r"\b(?:the|a|an) (?:the|a|an)\b", sentence, re.IGNORECASE):
        problems.append("two articles")
    for article, following in re.findall(r"\b([Aa]n?) (\w+)", sentence):
        if (article.lower() == "an") != (following[0].lower() in "aeio" or following == "unknown"):
            problems.append(f"{article} {following}")
        if following.endswith("s") and not following.endswith("ss"):
            problems.append(f"{article} before the plural {following}")
    for clause in _clauses(sentence):
        problems += _verb_problems(clause)
    return problems


def _clauses(sentence: str) -> list[tuple[str, str]]:
    """List the (subject, verb) pairs of a sentence."""
    words = re.sub(r"^(?:In|On|For|Over) [^,:]*, ", "", sentence).rstrip(".")
    pairs = []
    if words.startswith("There "):
        verb, rest = words.removeprefix("There ").split(" ", 1)
        pairs.append((re.split(r" between | else", rest)[0], verb))
        words = rest
        inner = re.search(r"that (?:(both .+ and .+) (affects?)$|(affects?) both)", words)
        if inner:
            pairs.append((inner[1] or "something", inner[2] or inner[3]))
    elif words.split()[0] not in IMPERATIVE:
        subject, verb = _subject_and_verb(words)
        pairs.append((subject, verb))
        pairs += [(subject, again) for again in re.findall(r"(?:, but|, and) (becomes?|remains?|stays?)\b", words)]
    else:
        inner = re.search(r"that (.+?) (forms?|plays?|has|have|affects?)\b", words)
        assert inner, sentence
        pairs.append((inner[1], inner[2]))
        pairs += [("they", verb) for verb in re.findall(r"\bthey (\w+)", words)]
        pairs += [(inner[1], verb) for verb in re.findall(r" or (is|are) affected", words)]
    # what refers to one thing that was just mentioned
    for pattern in (
        r"something else, which (?:in turn )?(\w+)",
        r"and none (?!where)(\w+)",
        r"but the link (\w+)",
        r"but it (\w+)",
        r"nothing else (\w+)",
    ):
        pairs += [("one thing", verb) for verb in re.findall(pattern, words)]
    return pairs


def _subject_and_verb(words: str) -> tuple[str, str]:
    """Cut a clause at its first verb."""
    known = {*VERBS, *PLURAL_VERBS, *PAST, "directly"}
    before: list[str] = []
    tokens = words.split()
    for place, word in enumerate(tokens):
        if before and word in known and not (word == "change" and before == ["A"]):
            verb = tokens[place + 1] if word == "directly" else word
            return " ".join(before), verb
        before.append(word)
    raise AssertionError(f"no verb in {words!r}")


def _verb_problems(clause: tuple[str, str]) -> list[str]:
    subject, verb = clause
    if (alone := re.search(r" by (itself|themselves)$", subject)) and (alone[1] == "themselves") != is_plural(subject):
        return [f"{subject!r} does not agree with itself"]
    if verb in PAST:
        return []
    if verb not in VERBS and verb not in PLURAL_VERBS:
        return [f"the checker does not know the verb {verb!r}"]
    return [] if (verb in PLURAL_VERBS) == is_plural(subject) else [f"{subject!r} does not agree with {verb!r}"]
