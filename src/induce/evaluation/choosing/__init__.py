"""Selection of hypotheses, model sizes, features and decisions without selection bias."""
