"""What a node is likely to be, given its parents: tables, noisy-OR, linear-Gaussian, logistic."""
