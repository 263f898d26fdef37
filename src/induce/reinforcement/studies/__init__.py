"""What is tried with learners: models of actions, learned from experience."""
