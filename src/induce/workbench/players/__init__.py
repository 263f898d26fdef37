"""Players: the trace of an algorithm as frames, one after the other; plain data in and out."""
