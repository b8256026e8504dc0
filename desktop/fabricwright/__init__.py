"""Fabricwright: the drawing board for AI training clusters. The floors are described in docs/architecture.md."""

__version__ = "0.1.0"
