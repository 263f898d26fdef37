"""Errors that a user can cause: one clear sentence each."""


class InputError(ValueError):
    """Data or parameters cannot be used; the message names them and the remedy."""


class NotLearnedError(InputError, AttributeError):
    """A learner has no hypothesis yet; also an AttributeError, so that `hasattr` and `dir` answer."""


class ModelFileError(InputError):
    """A model file is damaged, hostile or from a version this one cannot read."""


def not_installed(purpose: str, package: str) -> InputError:
    """Return the error for an optional package that is absent.

    Examples
    --------
    >>> print(not_installed("a spreadsheet", "fastexcel"))
    a spreadsheet needs the package fastexcel; install it with: pip install fastexcel
    """
    return InputError(f"{purpose} needs the package {package}; install it with: pip install {package}")
