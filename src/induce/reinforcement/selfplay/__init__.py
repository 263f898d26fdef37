"""Players trained by self-play."""
