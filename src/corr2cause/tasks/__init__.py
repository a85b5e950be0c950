"""An endless supply of questions with exact answers, to train language models by reinforcement."""

from corr2cause.tasks.config import Corr2CauseConfig
from corr2cause.tasks.task import Corr2CauseTask

__all__ = ["Corr2CauseConfig", "Corr2CauseTask"]
