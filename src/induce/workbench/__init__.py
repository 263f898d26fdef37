"""Workbench: a local page that learns hypotheses from data and plays algorithms step by step.

`steps` holds the state of a sheet; `scripts` writes it as Python and as a command. `tables`, `runs` and
`assessment` execute it, and `jobs` does so in a worker process. `bench` is the workspace, `routes` and
`server` serve it, and `players` turn traces into frames.
"""
