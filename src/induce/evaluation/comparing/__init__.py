"""Statistical comparisons of learners."""
