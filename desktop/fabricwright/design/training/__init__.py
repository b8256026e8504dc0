"""What is trained and how it is spread: shapes of models, plans, and the bytes that both mean. Plain arithmetic."""
