"""Wiring one group to another: pattern and options at the left, what would meet what at the right."""
