"""The second system: corpora of biomedical text in which causes and effects are marked as spans.

It stands beside the generator and imports only the shared foundation.
"""
