"""Rule learners: CN2, AQ, PRISM, RIPPER, PART (Mitchell ch. 10)."""
