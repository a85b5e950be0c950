"""From the facts of a premise to what follows, and why: graphs and words joined, no rows and no files."""
