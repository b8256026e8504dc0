"""Export of diagrams from the window: what may be chosen, the job in a process of its own, preview and dialog."""
