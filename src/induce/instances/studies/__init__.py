"""Studies of instance-based learners."""
