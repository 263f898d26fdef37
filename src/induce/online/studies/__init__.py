"""Studies of online learners."""
