"""Players turn the trace of an algorithm into a list of frames, as plain data."""
