"""Learners: decision trees by one growth algorithm, with ID3, C4.5 and CART as presets."""
