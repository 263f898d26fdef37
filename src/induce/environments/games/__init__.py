"""Games of one or two players, with or without dice, and players to measure against."""
