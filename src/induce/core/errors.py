"""The errors a user can cause: one clear sentence each."""


class InputError(ValueError):
    """Data or parameters cannot be used; the message says which and what to do."""


class ModelFileError(InputError):
    """A model file is damaged, hostile or from a version this one cannot read."""
