"""What all pictures share: colours, axes, boxes and arrows, and image files with a text alternative."""
