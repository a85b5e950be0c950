"""Settings of Hypothesis for the graph tests."""

from hypothesis import settings

# Oracles are slow by design and machines are shared: how long an example takes says nothing about the code.
settings.register_profile("graphs", deadline=None)
settings.load_profile("graphs")
