"""Notes: things the user should know that are not errors."""

import warnings


class Note(UserWarning):
    """Something was decided for the user, such as a column that was left out."""


def note(message: str) -> None:
    """Tell the user one thing, as a warning of category `Note`."""
    warnings.warn(message, Note, stacklevel=3)
