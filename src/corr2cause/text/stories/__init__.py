"""Premises and hypotheses told about the world: quantities with their grammar, frames of sentences, and the inverse."""
