"""How much of what is random gets tried: little in every run, more with `--hypothesis-profile=thorough`."""

from hypothesis import settings

settings.register_profile("suite", max_examples=25, deadline=None)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile("suite")
