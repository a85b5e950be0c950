"""The command line: parse, call, echo."""
