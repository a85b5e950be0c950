"""Other people's formats: one short module for each target."""
