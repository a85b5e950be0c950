"""Tests of the judgement of rows and answers."""
