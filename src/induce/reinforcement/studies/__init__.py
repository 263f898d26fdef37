"""Studies of learners: models of actions, learned from experience."""
