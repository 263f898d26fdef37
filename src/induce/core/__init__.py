"""Foundation: errors, notes, traces, compiled loops, threads, and hypotheses as values with model files."""
