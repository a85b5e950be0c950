"""The rows: facts and words joined, split, written and read."""
