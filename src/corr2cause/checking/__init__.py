"""The judgement of rows and of answers."""
