"""Ways to find the nearest rows: whichever is used, the neighbours are the same."""
