"""Parts of the user's own in the window: the form they are made in, packs, NetBox device types."""
