"""Floor of the program; see docs/architecture.md."""
