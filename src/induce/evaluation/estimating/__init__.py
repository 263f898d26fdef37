"""Error estimates of learners and their reliability."""
