"""The mathematics: arrays of bit masks in, arrays out. No text, no files, no randomness."""
