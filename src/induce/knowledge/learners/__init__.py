"""Knowledge-guided learners, one file each."""
