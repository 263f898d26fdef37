"""What all pictures share: colours, axes, and trees, layers and rings of boxes and arrows."""
