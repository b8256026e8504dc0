"""Field cases: faults that people met and reported, drawn as they would be drawn in the window."""
