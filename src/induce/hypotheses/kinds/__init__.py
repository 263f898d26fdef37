"""The kinds of hypothesis: what each can be asked, so that nobody has to look at its class."""
