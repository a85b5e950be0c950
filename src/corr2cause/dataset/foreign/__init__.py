"""Other people's files: their formats, columns and labels. `dataset.published` is the door."""
