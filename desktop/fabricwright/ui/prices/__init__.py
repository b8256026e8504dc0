"""Parts to order and their prices: the list in the middle of the window, and price lists taken in."""
