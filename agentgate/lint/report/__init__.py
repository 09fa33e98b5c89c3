"""Renderers, one a format: each turns a result into text and knows nothing else."""
