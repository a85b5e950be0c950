"""The words: facts to sentences and back. Strings only."""
