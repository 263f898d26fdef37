"""Explanations as plain data, the same for all kinds of hypothesis."""

from __future__ import annotations

from typing import Any


class Explained:
    """Explanation of the prediction for a row; subclasses define its text and its reasons."""

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data, with the same fields for all kinds of hypothesis.

        ``prediction``; ``probabilities`` by class, None if unknown; ``because`` and ``almost``, each a list of lines;
        ``text``, the full printed text.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("play-tennis")
        >>> said = induce.ID3().fit(X, y).explain(X[:1])[0].to_dict()
        >>> said["prediction"], said["probabilities"]
        ('No', {'Yes': 0.0, 'No': 1.0})
        >>> said["because"]
        ['Outlook = Sunny', 'Humidity = High']
        """
        from induce.core.plain import plain

        return {
            "prediction": plain(self._predicted()),
            "probabilities": self._shares(),
            "because": self._because(),
            "almost": self._almost(),
            "text": str(self),
        }

    def _predicted(self) -> Any:
        """Return the prediction."""
        names = ("prediction", "value", "state", "best", "log_density")
        return next((getattr(self, name) for name in names if hasattr(self, name)), None)

    def _shares(self) -> dict[str, float] | None:
        """Return the probability of each class, if it is known."""
        return None

    def _because(self) -> list[str]:
        """Return the reasons, one per line: all lines after the first, or the only line."""
        first, *lines = str(self).splitlines() or [""]
        return [line.strip() for line in lines if line.strip()] or [first]

    def _almost(self) -> list[str]:
        """Return the near misses: conditions that almost changed the prediction."""
        return []


class Saying(Explained, str):
    """An explanation consisting of a text."""

    __slots__ = ()
