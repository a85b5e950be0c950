"""Data sets small enough to be read by people, compared byte for byte."""
