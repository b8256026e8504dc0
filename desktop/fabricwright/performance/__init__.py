"""How long a collective takes on what is drawn, and why."""
