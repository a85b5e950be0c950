"""An endless supply of questions with exact answers, to train language models by reinforcement.

Where reasoning-gym is installed, importing this package registers the data set "corr2cause" and its curriculum there.
"""

from importlib.util import find_spec

from corr2cause.tasks.config import Corr2CauseConfig
from corr2cause.tasks.task import Corr2CauseTask

if find_spec("reasoning_gym") is not None:
    import corr2cause.tasks.gym  # noqa: F401

__all__ = ["Corr2CauseConfig", "Corr2CauseTask"]
