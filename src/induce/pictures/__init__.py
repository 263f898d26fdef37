"""Base of all pictures: colours, axes, and trees, layers and rings of boxes and arrows."""
