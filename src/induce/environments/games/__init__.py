"""Games for one or two players, with or without dice, and reference players."""
