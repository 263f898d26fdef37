"""Decision tree learners, one file each."""
