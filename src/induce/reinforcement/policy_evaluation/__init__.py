"""Return of policies: simulated with common random numbers, and exact if the model is known."""
