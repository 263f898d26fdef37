"""Rule sets as strings of bits (Mitchell 9.2.1, 9.3), and populations of rules (Holland)."""
