"""Trees that learn as examples arrive."""
