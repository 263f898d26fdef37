"""Shape matching: images compared by the transformation that aligns them (AIMA 18.11.1)."""
