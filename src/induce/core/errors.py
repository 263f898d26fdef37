"""Errors that a user can cause: one clear sentence each."""


class InputError(ValueError):
    """Data or parameters cannot be used; the message names them and the remedy."""


class ModelFileError(InputError):
    """A model file is damaged, hostile or from a version this one cannot read."""
