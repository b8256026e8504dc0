"""Measured collectives: the file, the design that each entry describes, and what predictions make of it."""
