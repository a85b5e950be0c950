"""Corr2Cause: exact data on whether causal claims follow from statistical relations."""

__version__ = "0.1.0"
