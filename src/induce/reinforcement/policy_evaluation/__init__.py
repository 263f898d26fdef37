"""Returns of policies: episodes simulated with common random numbers, and the exact value if the model is
known.
"""
