"""Exports in the hands of the programs that they are for; each needs the extra `consumers`."""
