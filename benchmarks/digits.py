"""The digit study: AIMA's table of recognisers on the MNIST images, kept so that an interrupted run goes on."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.digit_checks import CHECKS
from benchmarks.digit_methods import FIRST, METHODS, Method, plain
from benchmarks.measure import Listing, Row, Section, at_most

SIZES = (1_000, 5_000, 20_000, 60_000)
ERRORS = (0.5, 1, 2, 3, 5, 10, 20)
"""Ticks of the learning curves, in percent."""
DEAR = ("boosted-vote", "boosted-sum", "shapes")
"""Methods that are not asked how they would do with fewer digits."""
FILES = {
    "images": "train-images-idx3-ubyte.gz",
    "labels": "train-labels-idx1-ubyte.gz",
    "tests": "t10k-images-idx3-ubyte.gz",
    "truth": "t10k-labels-idx1-ubyte.gz",
}


class Study:
    """Digits to learn from and to be asked, and the results so far, a file for each method and size."""

    def __init__(self, folder: Path, kept: Path) -> None:
        from induce.data.images.formats import idx_images, idx_labels

        where = {key: folder / "mnist" / name for key, name in FILES.items()}
        self.images, self.tests = idx_images(where["images"]), idx_images(where["tests"])
        self.labels, self.truth = (idx_labels(where[key]).astype(np.int64) for key in ("labels", "truth"))
        self.kept = kept
        kept.mkdir(parents=True, exist_ok=True)

    def path(self, name: str, n: int) -> Path:
        """Where the result of a method is kept."""
        return self.kept / f"{name}-{n}.npz"

    def result(self, name: str, n: int | None = None, run: bool = True) -> dict[str, Any] | None:
        """The result of a method that learns from the first n digits: as it was kept, or from a run now."""
        method = METHODS[name]
        n = method.n_stored if n is None else n
        path = self.path(name, n)
        if not path.exists():
            if not run:
                return None
            print(f"  {name}, {n:,} digits …", file=sys.stderr, flush=True)
            self._run(method, n, path)
        with np.load(path) as found:
            return {
                **json.loads(str(found["said"])),
                "predicted": found["predicted"],
                "confidence": found["confidence"],
            }

    def hypothesis(self, name: str, n: int) -> Any:
        """What a method learned that others go on from."""
        import induce

        path = self.path(name, n).with_suffix(".induce")
        if not path.exists():
            self.path(name, n).unlink(missing_ok=True)
            self.result(name, n)
        return induce.load(path)

    def _run(self, method: Method, n: int, path: Path) -> None:
        import induce

        given = [self.hypothesis(method.first, n)] if method.first else []
        wall, start = time.perf_counter(), time.process_time()
        recogniser = method.learn(self.images[:n], self.labels[:n], *given)
        training, waited = time.process_time() - start, time.perf_counter() - wall
        asked = self.tests[: method.n_asked]
        start = time.process_time()
        scores = recogniser.scores(asked)
        asking = (time.process_time() - start) / len(asked)
        best = np.sort(scores, axis=1)
        said = {
            "training": training if recogniser.training is None else recogniser.training,
            "waited": waited,
            "asking": asking,
            "bytes": model_bytes(recogniser.model),
            "more": recogniser.more,
        }
        if method is METHODS[FIRST]:
            induce.save(recogniser.model.hypothesis_, path.with_suffix(".induce"))
        predicted = scores.argmax(axis=1)
        confidence = best[:, -1] - best[:, -2]
        wrong = float((predicted != self.truth[: len(asked)]).mean())
        print(f"    error {100 * wrong:.2f}%, {training:.0f} s", file=sys.stderr, flush=True)
        partial = path.with_suffix(".part")
        with partial.open("wb") as file:
            np.savez_compressed(file, said=json.dumps(said), predicted=predicted, confidence=confidence)
        partial.replace(path)

    def wrong(self, found: dict[str, Any]) -> Any:
        """Which test digits a method got wrong."""
        predicted = found["predicted"]
        return predicted != self.truth[: len(predicted)]


def model_bytes(model: Any) -> int:
    """The size of the model file."""
    import induce

    if model is None:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.induce"
        induce.save(model.hypothesis_, path)
        return path.stat().st_size


def curve_of(study: Study, found: dict[str, Any]) -> Any:
    """The error that is left when the least certain digits are rejected."""
    from induce.evaluation.curves.reject import reject_curve_of

    predicted = found["predicted"]
    return reject_curve_of(study.truth[: len(predicted)], predicted, found["confidence"])


def rejected(study: Study, found: dict[str, Any]) -> str:
    """The share of digits to reject for an error of 0.5 %."""
    from induce.core.errors import InputError

    try:
        return f"{100 * curve_of(study, found).rejected_for(0.005).rejected:.1f}"
    except InputError:
        return "not reached"


def digits(folder: Path, out: Path | None, names: Sequence[str] | None = None) -> Iterator[Listing | Section]:
    """The table, the tests between methods, errors at several sizes, times and checks; or only what is named."""
    if not (folder / "mnist" / FILES["images"]).exists():
        return
    kept = Path("digits-results") if out is None else out.with_name(f"{out.stem}-digits")
    study = Study(folder, kept)
    for name in METHODS:
        if not names or name in names:
            study.result(name)
    yield table(study)
    yield differences(study)
    for n in SIZES[:-1]:
        for name in METHODS:
            if name not in DEAR and (not names or "sizes" in names or f"{name}-{n}" in names):
                study.result(name, n)
    yield sizes(study)
    if not names or "speeds" in names:
        yield speeds(study, folder)
    for name, check in CHECKS.items():
        if not names or name in names:
            yield check(study)
    draw(study)


def draw(study: Study) -> None:
    """Draw the error against the share rejected, and against the number of examples, beside the results."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    for name in METHODS:
        found = study.result(name, run=False)
        if found is not None:
            curve = curve_of(study, found)
            axes.plot(100 * curve.rejected, 100 * curve.error, label=name, lw=1.3)
    axes.axhline(0.5, color="grey", lw=0.8, ls=":")
    axes.set(xlim=(0, 10), ylim=(0, 3), xlabel="rejected, %", ylabel="error on accepted images, %")
    _save(figure, study.kept / "digits-reject.png")

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    axes.set_xscale("log")
    axes.set_yscale("log")
    for name in METHODS:
        known = [(n, found) for n in SIZES if (found := study.result(name, n, run=False)) is not None]
        if known and name not in DEAR:
            errors = [100 * float(study.wrong(found).mean()) for _, found in known]
            axes.plot([n for n, _ in known], errors, "o-", label=name, lw=1.3, ms=3)
    axes.set(xlabel="digits learned from", ylabel="test error, %")
    axes.set_xticks(SIZES, [f"{n:,}" for n in SIZES])
    axes.set_yticks(ERRORS, [f"{error:g}" for error in ERRORS])
    axes.minorticks_off()
    _save(figure, study.kept / "digits-sizes.png")


def _save(figure: Any, path: Path) -> None:
    (axes,) = figure.axes
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=7, frameon=False)
    figure.savefig(path, dpi=80)


def speeds(study: Study, folder: Path) -> Section:
    """Reading, transforming and predicting, beside our own limits; scikit-learn's neighbours beside ours."""
    import resource

    import induce
    from induce.data.images import Deslant, Distortions, read_images

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    data = read_images(folder / "mnist" / FILES["images"], folder / "mnist" / FILES["labels"])
    took = time.process_time() - start
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    rows = [
        at_most(f"read {len(data):,} images", took, 2),
        Row("its memory beyond the previous peak", f"{more:.0f} MB", target="≤ 300 MB", holds=more <= 300),
    ]
    for step in (Deslant(), Distortions()):
        step(study.images[:4_000])  # compiles
    start = time.process_time()
    Deslant()(study.images)
    rows.append(at_most(f"deslant {len(study.images):,} images", time.process_time() - start, 3))
    start = time.process_time()
    Distortions()(study.images)
    rate = len(study.images) / (time.process_time() - start)
    rows.append(Row("distortions a second", f"{rate:,.0f}", target="≥ 20,000", holds=rate >= 20_000))
    X, tests = plain(study.images[:20_000]), plain(study.tests)
    network = induce.NeuralNetworkClassifier(
        hidden=300, unit="rectified", solver="adam", scale=None, precision="single", max_epochs=1, tol=0.0
    ).fit(X, study.labels[:20_000])
    start = time.process_time()
    said = network.predict(tests)
    rate = len(tests) / (time.process_time() - start)
    rows.append(
        Row("digits a second by 784-300-10", f"{rate:,.0f}", target="≥ 100,000", holds=rate >= 100_000)
    )
    rows.append(_onnx(network, tests, said))
    return Section(
        "Handwritten digits: speed",
        "Processor time, one thread, one run; loops compiled before.",
        tuple(rows),
    )


def _onnx(network: Any, tests: Any, said: Any) -> Row:
    """Whether the exported network gives the same class of all test digits."""
    import onnxruntime

    session = onnxruntime.InferenceSession(network.hypothesis_.to_onnx())
    inputs = {each.name: each for each in session.get_inputs()}
    if len(inputs) == 1:
        given = {next(iter(inputs)): tests}
    else:
        given = {name: np.ascontiguousarray(tests[:, [k]]) for k, name in enumerate(inputs)}
    found = np.asarray(session.run(None, given)[0]).ravel()
    same = int((found.astype(said.dtype) == said).sum())
    return Row("the same class by ONNX", f"{same:,} of {len(said):,}", target="all", holds=same == len(said))


def table(study: Study) -> Listing:
    """A line for each method; one that has not run says so."""
    from induce.statistics.intervals import wilson

    lines = []
    for name, method in METHODS.items():
        found = study.result(name, run=False)
        if found is None:
            lines.append((method.title, method.book, f"{method.goal:g}", "not run", "", "", "", "", ""))
            continue
        wrong = study.wrong(found)
        interval = wilson(int(wrong.sum()), len(wrong))
        error = 100 * float(wrong.mean())
        verdict = (
            "yes"
            if error <= method.goal
            else "within its interval"
            if 100 * interval.low <= method.goal
            else "**no**"
        )
        lines.append(
            (
                method.title
                + (f" (first {len(wrong):,} test digits)" if len(wrong) < len(study.tests) else ""),
                method.book,
                f"{method.goal:g}",
                f"{error:.2f} [{100 * interval.low:.2f}, {100 * interval.high:.2f}]",
                verdict,
                f"{1000 * found['asking']:.2f}",
                f"{found['bytes'] / 1e6:.2f}",
                f"{found['training']:.0f} s",
                rejected(study, found),
            )
        )
    return Listing(
        "Handwritten digits",
        "60,000 training digits, 10,000 test digits (`python -m benchmarks --data DIR --only digits`). "
        "Wilson's 95 % intervals; processor time; MB is the size of the model file.",
        (
            "method",
            "book %",
            "goal %",
            "error %",
            "reached",
            "ms per digit",
            "MB",
            "training",
            "rejected for 0.5 % (%)",
        ),
        tuple(lines),
        "",
    )


def differences(study: Study) -> Listing:
    """McNemar's test of each pair on the digits that both were asked."""
    from induce.statistics.verdicts import mcnemar

    done = {name: found for name in METHODS if (found := study.result(name, run=False)) is not None}
    lines = []
    for one, other in combinations(done, 2):
        first, second = study.wrong(done[one]), study.wrong(done[other])
        n = min(len(first), len(second))
        only, alone = int((first[:n] & ~second[:n]).sum()), int((second[:n] & ~first[:n]).sum())
        lines.append((one, other, str(only), str(alone), f"{mcnemar(only, alone, n=n).p_value:.2g}"))
    return Listing(
        "Handwritten digits: pairs of methods",
        "Numbers of digits that only the first and only the second method gets wrong, and McNemar's p.",
        ("first", "second", "only first wrong", "only second wrong", "p"),
        tuple(lines),
        "",
    )


def sizes(study: Study) -> Listing:
    """Errors by the number of digits to learn from."""
    lines = []
    for name, method in METHODS.items():
        if name not in DEAR:
            found = [study.result(name, n, run=False) for n in SIZES]
            lines.append(
                (
                    method.title,
                    *(
                        "not run" if each is None else f"{100 * float(study.wrong(each).mean()):.2f}"
                        for each in found
                    ),
                )
            )
    return Listing(
        "Handwritten digits: more data or a better method",
        "Test error in percent after learning from the first so many digits.",
        ("method", *(f"{n:,}" for n in SIZES)),
        tuple(lines),
        "",
    )
