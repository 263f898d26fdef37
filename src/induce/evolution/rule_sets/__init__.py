"""Rule sets as bit strings (Mitchell 9.2.1, 9.3), and populations of single rules (Holland)."""
