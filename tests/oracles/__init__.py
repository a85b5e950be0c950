"""By-definition twins of the package: Python and networkx, slow and obvious, sharing no algorithm with it."""
