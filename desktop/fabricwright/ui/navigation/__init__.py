"""Getting about: find on the drawing, the command palette, and the way back through visited places."""
