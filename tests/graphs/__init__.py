"""The graph code against by-definition oracles, published numbers and its own symmetries."""
