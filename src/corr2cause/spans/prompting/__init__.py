"""Prompts for causal spans: what is asked, how an answer is written, and what a training target is."""
