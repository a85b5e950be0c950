"""Asking language models."""
