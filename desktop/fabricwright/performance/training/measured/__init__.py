"""Measured training runs: reading them, predicting them from their facts, fitting and scoring."""
