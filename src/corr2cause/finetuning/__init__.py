"""Fine-tuning of sequence classifiers as in the paper: what `scripts/finetune.py` does."""
