"""The kinds of hypothesis: the methods of each, so that no caller has to inspect its class."""
