"""Learning of action models from experience."""
