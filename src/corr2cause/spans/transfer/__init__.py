"""Transfer between corpora: what detection learned on one is worth on another."""
