"""Dynamic programming: optimal policies of a known model (Mitchell 13.3.6, 13.7)."""
