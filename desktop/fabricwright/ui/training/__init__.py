"""The training step in the window: its panel, the editor of workloads, the search for a layout."""
