"""Network health: buffers, thresholds, losses, bursts and equal-cost paths of the drawn network."""
