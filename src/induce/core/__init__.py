"""Foundation: errors, notes, traces, compiled loops, threads, hypotheses as values, and their files."""
