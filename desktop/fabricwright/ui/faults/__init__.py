"""When something goes wrong in the window: what was said before, saving first, a file for those who mend it."""
