"""Players that teach themselves by playing against themselves."""
