"""The covering loop and the beam search of rule learners, over states they do not look into (Mitchell §10.2)."""
