"""The door to reasoning-gym: importing this module registers the data set "corr2cause" and its curriculum there.

    import corr2cause.tasks  # which imports this module where reasoning-gym is installed
    data = reasoning_gym.create_dataset("corr2cause", size=1000, seed=42)

Needs the extra `gym`; without it, the task itself (`corr2cause.tasks`) works all the same.
"""

from __future__ import annotations

from corr2cause.errors import MissingExtraError
from corr2cause.tasks.config import Corr2CauseConfig
from corr2cause.tasks.task import NAME, Corr2CauseTask

try:
    from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import DATASETS, register_dataset
except ImportError as error:
    raise MissingExtraError("reasoning-gym", "gym") from error


class Corr2CauseGymConfig(Corr2CauseConfig):
    """A configuration whose seed may be set after the fact, as `ReseedingDataset` does; otherwise the same."""

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


class Corr2CauseDataset(Corr2CauseTask, ProceduralDataset):  # type: ignore[misc]  # its library has no types
    """The task as a data set of reasoning-gym: items, scores and seeds are those of `Corr2CauseTask`."""

    def __init__(self, config: Corr2CauseConfig) -> None:
        settable = Corr2CauseGymConfig(**vars(config))
        ProceduralDataset.__init__(self, config=settable, seed=settable.seed, size=settable.size)
        Corr2CauseTask.__init__(self, settable)


class Corr2CauseCurriculum(BaseCurriculum):  # type: ignore[misc]
    """Ever more variables: from 3, or the level before, to 7."""

    def __init__(self) -> None:
        super().__init__(Corr2CauseCurriculum.__name__, Corr2CauseGymConfig)
        self._define_attributes(
            RangeAttributeDefinition(
                name="n",
                levels=[3, 4, 5, 6, 7],
                description="Number of variables in the premise",
                lower_field_name="min_n",
                upper_field_name="max_n",
            )
        )


if NAME not in DATASETS:
    register_dataset(NAME, Corr2CauseDataset, Corr2CauseGymConfig, Corr2CauseCurriculum)
