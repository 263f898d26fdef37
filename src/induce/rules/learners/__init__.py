"""Rule learners, one file each."""
