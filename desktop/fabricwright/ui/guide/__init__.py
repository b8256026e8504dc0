"""The user guide inside the program: F1."""
