"""Files of span corpora: how they are recognised, read and written."""
