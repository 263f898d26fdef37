"""Trees that learn incrementally."""
