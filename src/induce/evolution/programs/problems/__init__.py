"""Problems for genetic programming: stacking blocks, following a trail, designing a filter."""
