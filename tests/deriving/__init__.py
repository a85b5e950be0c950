"""Tests of what follows from a premise."""
