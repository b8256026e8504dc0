"""The view that computes many variants of a design and shows them as a table and a plot."""
