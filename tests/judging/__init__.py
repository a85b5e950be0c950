"""The judgement of rows, from outside: text in, verdict out."""
