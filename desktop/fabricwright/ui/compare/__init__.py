"""The view that lays two designs, or two versions, side by side."""
