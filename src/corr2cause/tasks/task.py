"""The environment: an indexed, endless list of questions, and a score for every answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np

from corr2cause.dataset.building import write_premises
from corr2cause.dataset.class_ids import enumerated_class
from corr2cause.graphs.bitdags import edges, has, keys, relabel
from corr2cause.graphs.relations import holds
from corr2cause.graphs.terms import Reading
from corr2cause.rewards import compute_score
from corr2cause.tasks.config import Corr2CauseConfig
from corr2cause.tasks.drawing import Drawn, draw
from corr2cause.tasks.pool import cells_of
from corr2cause.text.facts import Hypothesis
from corr2cause.text.prompting import ANSWERS, Style, question
from corr2cause.text.verbalisation import verbalise_edges, verbalise_hypothesis

NAME = "corr2cause"
"""What the task is called, in the metadata of its items too."""

Item = dict[str, Any]


class Corr2CauseTask:
    """Questions whether a causal claim follows from statistical relations, with exact answers.

    Item i is the same everywhere: it depends on the configuration and i alone, and is made when asked for, in about
    0.8 ms. Nothing is drawn from a sample of graphs: the classes are complete, and an answer counts over all members.

    Args:
        config: what to ask; the default if left out.

    Raises:
        OptionError: there is no question in the ranges of the configuration.

    >>> task = Corr2CauseTask(Corr2CauseConfig(min_n=3, max_n=3, seed=42))
    >>> task.score_answer("Answer: Yes", {"answer": "Yes"}), task.score_answer("Yes and No", {"answer": "Yes"})
    (1.0, 0.0)
    """

    def __init__(self, config: Corr2CauseConfig | None = None) -> None:
        self.config = config or Corr2CauseConfig()
        self._options = self.config.options(self.config.max_n)
        self._cells = cells_of(self.config)

    def __reduce__(self) -> tuple[type[Self], tuple[Corr2CauseConfig]]:
        return type(self), (self.config,)  # a copy in another process finds the cells anew

    def __len__(self) -> int:
        return self.config.size

    def __iter__(self) -> Iterator[Item]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, idx: int) -> Item:
        """Return an item.

        Args:
            idx: less than the size; negative ones count from the end.

        Returns:
            `question`: the prompt.  `answer`: "Yes" or "No".  `metadata`: `source_dataset`, `source_index`; `id`,
            which names the class, two nodes of its representative (from 1) and the relation, and so may come again
            under other names; `premise`, `hypothesis`, `label`; `n` variables; `relation`, `template`; `class_size`,
            the number of graphs that fit; `n_statements`; `counterexample`, the edges of a graph that fits and
            refutes the hypothesis (None if it follows); `difficulty`, the ranges of the configuration.

        Raises:
            IndexError: there is no such item.
        """
        index = range(len(self))[idx]
        drawn = draw(self._cells, self._options.names, self.config.seed, index)
        premises = write_premises(drawn.named, self._options.premise)
        surface, names = drawn.surface, drawn.names
        hypothesis = Hypothesis(surface.claim, names[surface.first], names[surface.second])
        premise, claim = premises.texts[0], verbalise_hypothesis(hypothesis, surface.wording)
        counterexample = _counterexample(drawn, self._options.reading)
        label = int(counterexample is None)
        return {
            "question": question(Style(self.config.style), premise, claim, self._options.reading),
            "answer": ANSWERS[label],
            "metadata": {
                "source_dataset": NAME,
                "source_index": index,
                "id": _identifier(drawn),
                "premise": premise,
                "hypothesis": claim,
                "label": label,
                "n": drawn.pool.n,
                "relation": drawn.question.relation.value,
                "template": surface.template,
                "class_size": int(drawn.pool.members.sizes[drawn.rank]),
                "n_statements": int(premises.n_statements[0]),
                "counterexample": counterexample,
                "difficulty": {
                    "n": (self.config.min_n, self.config.max_n),
                    "class_size": (self.config.min_class_size, self.config.max_class_size),
                    "n_statements": (self.config.min_statements, self.config.max_statements),
                },
            },
        }

    def score_answer(self, answer: str | None, entry: Mapping[str, Any]) -> float:
        """Return 1.0 if an answer, or all that a model wrote, says what the entry's does, else 0.0.

        It is rewarded as everywhere: what says both or neither is wrong, as is none at all.
        """
        return compute_score(NAME, answer if isinstance(answer, str) else "", entry["answer"])


def _identifier(drawn: Drawn) -> str:
    question = drawn.question
    return f"{enumerated_class(drawn.pool.n, drawn.rank)}-{question.x + 1}-{question.y + 1}-{question.relation}"


def _counterexample(drawn: Drawn, reading: Reading) -> str | None:
    """Return the edges of the first member in which the hypothesis fails: first by the parents of each variable."""
    start, stop = drawn.pool.members.starts[drawn.rank : drawn.rank + 2]
    position = np.argsort(drawn.original)
    graphs = relabel(drawn.pool.members.parents[start:stop], np.broadcast_to(position, (stop - start, len(position))))
    asked = drawn.asked
    failing = graphs[~has(holds(graphs, asked.relation, reading)[:, asked.x], asked.y)]
    if not len(failing):
        return None
    first = failing[np.argmin(keys(failing))]
    return verbalise_edges((drawn.names[u], drawn.names[v]) for u, v in edges(first))
