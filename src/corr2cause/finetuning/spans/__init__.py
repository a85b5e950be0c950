"""Training on span corpora: encoders that detect, and LoRA adapters that extract; what the scripts `spans_*.py` do."""
