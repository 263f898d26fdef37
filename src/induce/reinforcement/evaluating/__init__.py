"""What policies earn: episodes simulated with the same dice for all, and the exact value where the model is known."""
