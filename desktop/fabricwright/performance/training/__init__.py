"""The training step: what it computes, sends over the drawn cluster, keeps and costs, and how to lay it out."""
