"""Studies of fitted learners: rule extraction from networks."""
