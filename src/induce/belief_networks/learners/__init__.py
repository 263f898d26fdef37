"""Network learners, one file each."""
