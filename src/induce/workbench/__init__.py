"""The workbench: from a file to a hypothesis, and algorithms step by step, in the browser.

`steps` is the state of a sheet, `scripts` reads it as Python and as a command, `tables` and `runs` do what it says,
`jobs` does so in a process of its own, and `server` shows it; `players` turns traces into frames.
"""
