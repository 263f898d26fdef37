"""What is tried with fitted learners: rules read from networks."""
