"""What can be tried with learners."""
