"""From rows without labels to an adjudicated corpus: batches, qualification, quality, disputes, decisions."""
