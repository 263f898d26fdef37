"""Return of policies, simulated with common random numbers and computed exactly if the model is
known.
"""
