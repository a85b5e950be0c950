"""Rows as tasks of Label Studio, an annotation server, and its annotations as rows."""
