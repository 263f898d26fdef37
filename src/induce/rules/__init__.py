"""Learners of rules: CN2, AQ, PRISM, RIPPER, PART (Mitchell ch. 10)."""
