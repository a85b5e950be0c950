"""The checks that `verification` makes, each kind in a module of its own."""
