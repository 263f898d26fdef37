"""First-order rule learners, one file each."""
