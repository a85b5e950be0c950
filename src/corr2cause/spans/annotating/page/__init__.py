"""The page for adjudicators: a small web server for this machine alone."""
