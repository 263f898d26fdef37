"""What holds of the whole suite: how much is tried at random, on how many threads, and in which order."""

import os

from hypothesis import settings

# the tables here are small: a second thread of BLAS or polars only waits, and takes a core from the next test
for pool in ("OMP_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(pool, "1")

settings.register_profile("suite", max_examples=25, deadline=None)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile("suite")
