"""Base of kernel learners: kernels by name, text columns, and construction of the machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameter_kinds import Function as AnyFunction
from induce.core.parameter_kinds import OneOf, Such
from induce.core.parameters import Declared, choice, either
from induce.data.frames import RawFrame
from induce.data.numeric_view import SCALES
from induce.data.schema import Column, Schema
from induce.data.training import training_schema
from induce.estimators import FromTable, ReadingClassifier
from induce.kernels.definiteness import mercer_of
from induce.kernels.functions import Function
from induce.kernels.inputs import Floats
from induce.kernels.kernel import COLUMNS, THINGS, VECTORS, Kernel, take
from induce.kernels.learners.training_rows import Training
from induce.kernels.machine import KernelMachine
from induce.kernels.mixed import Mixed
from induce.kernels.separator import Separator
from induce.kernels.strings import Spectrum, Subsequence
from induce.kernels.support_rows import RestsOnRows
from induce.kernels.terms import Subtrees
from induce.kernels.vectors import Gaussian, Linear, Polynomial

KERNELS: dict[str, Kernel] = {
    "gaussian": Gaussian(),
    "linear": Linear(),
    "polynomial": Polynomial(gamma=None),
    "mixed": Mixed(),
    "spectrum": Spectrum().normalised(),
    "subsequence": Subsequence().normalised(),
    "subtrees": Subtrees(0.5).normalised(),
}
"""Kernels by name; text and term kernels are normalised, so that long objects do not outweigh others."""

KernelLike = str | Kernel | Callable[[Any, Any], float]
PROBE = 200
"""Number of rows on which an unknown kernel is checked."""


KERNEL = either(
    "Kernel: by name, as a value, or as a function of two rows.",
    OneOf(tuple(KERNELS)),
    Such("a kernel of induce.kernels", lambda value: isinstance(value, Kernel)),
    AnyFunction("a function of two rows"),
    also={"rbf": "gaussian", "poly": "polynomial"},
)
"""Declared parameter `kernel`; scikit-learn's names are accepted."""


def kernel_of(given: Any) -> Kernel:
    """Return the kernel of a parameter value: a kernel, its name, or a function of two rows.

    Examples
    --------
    >>> print(kernel_of("linear"))
    x·z
    """
    if isinstance(given, Kernel):
        return given
    if isinstance(given, str) and given in KERNELS:
        return KERNELS[given]
    if callable(given):
        return Function(given)
    raise InputError(f"kernel is {given!r}; {KERNEL.requirement()}")


class WithKernel(FromTable):
    """Base of classifiers and regressors with a kernel."""

    parameters: ClassVar[Declared] = {
        "kernel": KERNEL,
        "scale": choice("Scaling of numeric columns.", *filter(None, SCALES), none=True),
    }
    kernel: KernelLike
    scale: str | None

    @property
    def support_(self) -> NDArray[np.int64]:
        """The support vectors as training rows."""
        check_is_fitted(self, "hypothesis_")
        return np.sort(cast(RestsOnRows, self.hypothesis_).rows)

    def _training_schema(self, X: Any, raw: RawFrame, n_targets: int | None) -> Schema:
        """Infer the schema; strings are texts if the kernel compares only texts."""
        needs = kernel_of(self.kernel).needs()
        told = self.schema
        if needs == {THINGS}:
            strings = {column.name: "text" for column in raw.columns if column.kind == "string"}
            given = {column.name: column for column in told} if isinstance(told, Schema) else told or {}
            told = {**strings, **given} if isinstance(given, dict) else told
        schema = self._amended(training_schema(raw, n_targets, told, THINGS in needs))
        schema = Schema(tuple(_if_compared(column, needs) for column in schema))
        if not len(schema.inputs()):
            raise InputError(
                "no column is left to learn from: the kernel compares texts, and none is text"
                if needs == {THINGS}
                else "no column is left to learn from: all are identifiers, text or ignored"
            )
        if THINGS in needs and not any(column.kind == "text" for column in schema.inputs()):
            raise InputError(
                "the kernel compares texts, but no column is text; declare one with schema={name: 'text'}"
            )
        self._seen(X, schema.names())
        return schema


class KernelLearner(WithKernel, ReadingClassifier):
    """Base of classifiers with a kernel."""

    hypothesis_: KernelMachine

    def decision_function(self, X: Any) -> Floats:
        """Return f of each row for two classes, positive for the second of `classes_`; with more, one score
        per class.
        """
        machine = cast(KernelMachine, self._fitted(X))
        scores = machine.decision_function(X)
        order = [machine.classes.index(value) for value in self.classes_.tolist()]
        if order == sorted(order):
            return scores
        return -scores if scores.ndim == 1 else scores[:, order]

    def _machine(
        self,
        reading: Any,
        training: Training,
        how: str,
        separators: Sequence[Separator],
        only: int,
        C: float | None = None,
        calibrated: bool = False,
    ) -> KernelMachine:
        """Build a machine that keeps only the support vectors."""
        used = np.unique(np.concatenate([np.empty(0, np.int64), *(each.support for each in separators)]))
        used = used.astype(np.int64)
        place = np.zeros(len(training), np.int64)
        place[used] = np.arange(len(used))
        rows = training.rows.take(training.order[used])
        return KernelMachine(
            schema=reading.schema,
            target=reading.target,
            classes=reading.classes,
            how=how,
            kernel=training.kernel,
            view=training.view,
            numeric=rows.table.numeric,
            nominal=rows.table.nominal,
            things=tuple(tuple(cells) for cells in rows.things),
            rows=training.numbers[used],
            labels=training.labels[used],
            separators=tuple(replace(each, support=place[each.support]) for each in separators),
            only=only,
            C=C,
            calibrated=calibrated,
        )


def look_at(kernel: Kernel, training: Training, follows: str = "the heavier class is predicted") -> None:
    """Emit a note about an indefinite or constant kernel.

    Parameters
    ----------
    kernel : Kernel
    training : Training
    follows : str
        Return the consequence of a constant kernel, for the note.
    """
    some = np.linspace(0, len(training) - 1, min(PROBE, len(training))).astype(int)
    prepared = take(kernel.prepare(training.inputs), some)
    matrix = np.asarray(kernel.between(prepared, prepared), np.float64)
    if not np.isfinite(matrix).all():
        raise InputError(f"K = {kernel} is not a finite number for some rows; scale the columns")
    if len(matrix) > 1 and np.ptp(matrix) == 0:
        note(f"K = {kernel} is the same for all rows: it separates nothing, and {follows}")
        return
    found = mercer_of(matrix)
    if not found.holds:
        note(
            f"K = {kernel} is {found}, so it is not a dot product. The search ends when no pair of "
            "alpha can be improved, which may not be the optimum, and margins are not distances"
        )


def _if_compared(column: Column, needs: frozenset[str]) -> Column:
    """Drop the columns that a kernel does not compare."""
    if column.role != "input" or (THINGS in needs if column.kind == "text" else needs & {VECTORS, COLUMNS}):
        return column
    note(f"column {column.name!r} is not used by the kernel, and is ignored")
    return replace(column, role="ignore")
