"""Checks beside the digit table: connections removed, pixels permuted, and times beside scikit-learn's."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.digit_methods import SEED, large, machine, neighbours, network, plain
from benchmarks.measure import Listing, Row, Section, at_most, speed

if TYPE_CHECKING:
    from benchmarks.digits import Study

SHARES = (0.25, 0.5, 0.75)
"""Shares of the connections that are removed."""
CURVED = 5_000
"""Digits that the second derivatives are averaged over."""
N_PERMUTED = 5_000
N_MACHINE = (10_000, 30_000, 60_000)
GAMMA, C = 0.02, 10.0


def kept(study: Study, name: str, run: Callable[[], Any]) -> Any:
    """Return what a check found: as it was kept beside the results, or from a run now."""
    path = study.kept / f"{name}.json"
    if not path.exists():
        path.write_text(json.dumps(run()), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def pruned(study: Study, epochs: int = 5) -> Listing:
    """Optimal brain damage on the 300-unit network, in one step and without training again."""
    lines = kept(study, "pruned", lambda: _pruned(study, epochs))
    return Listing(
        "Handwritten digits: optimal brain damage",
        f"784-300-10 after {epochs} passes over the plain pixels; the connections of lowest saliency "
        f"(second derivatives over {CURVED:,} training digits) are removed in one step, without "
        "retraining.",
        ("removed", "connections left", "error %", "newly wrong", "newly right", "McNemar's p"),
        tuple(tuple(line) for line in lines),
        "",
    )


def _pruned(study: Study, epochs: int) -> list[list[str]]:
    from induce.core.ties import smallest_first
    from induce.neural.pruning import network_connections, saliencies, without
    from induce.statistics.verdicts import mcnemar

    learn = network(plain, epochs, hidden=300, unit="rectified")
    whole = learn(study.images, study.labels).model.hypothesis_.network
    X, targets = plain(study.images[:CURVED]), np.eye(10)[study.labels[:CURVED]]
    saliency = saliencies(whole, X, targets, loss="cross_entropy")
    for group in whole.groups:
        if group.bias and group.unit != "input":
            saliency[whole.plan.blocks[group.name]] = np.inf  # biases stay
    order = smallest_first(saliency)
    tests = plain(study.tests)
    before = whole(tests).argmax(axis=1) != study.truth
    total = network_connections(whole)
    lines = [["none", f"{total:,}", f"{100 * before.mean():.2f}", "", "", ""]]
    for share in SHARES:
        less = without(whole, order[: round(share * total)])
        after = less(tests).argmax(axis=1) != study.truth
        worse, better = int((after & ~before).sum()), int((before & ~after).sum())
        p = mcnemar(worse, better, n=len(after)).p_value
        lines.append(
            [
                f"{100 * share:.0f} %",
                f"{network_connections(less):,}",
                f"{100 * after.mean():.2f}",
                str(worse),
                str(better),
                f"{p:.2g}",
            ]
        )
    return lines


def permuted(study: Study, epochs: int = 5) -> Listing:
    """The same permutation of the pixels of all images: only LeNet knows which pixels are beside each other."""
    lines = kept(study, "permuted", lambda: _permuted(study, epochs))
    return Listing(
        "Handwritten digits: permuted pixels",
        f"The first {N_PERMUTED:,} training digits, without distortions, and all test digits; one fixed permutation "
        "of the 784 pixels of every image.",
        ("method", "error %", "permuted, error %", "ratio", "other predictions"),
        tuple(tuple(line) for line in lines),
        "",
    )


def _permuted(study: Study, epochs: int) -> list[list[str]]:
    order = np.random.default_rng(SEED).permutation(study.images[0].size)

    def shuffled(images: Any) -> Any:
        return np.ascontiguousarray(images.reshape(len(images), -1)[:, order]).reshape(images.shape)

    methods = {
        "3-NN": neighbours(plain),
        "SVM": machine(plain, GAMMA, C),
        "LeNet-5": large(epochs, None),
    }
    lines = []
    for name, learn in methods.items():
        said = []
        for look in (np.asarray, shuffled):
            images = look(study.images[:N_PERMUTED])
            recogniser = learn(images, study.labels[:N_PERMUTED])
            said.append(recogniser.scores(look(study.tests)).argmax(axis=1))
        first, second = (100 * float((each != study.truth).mean()) for each in said)
        other = int((said[0] != said[1]).sum())
        lines.append([name, f"{first:.2f}", f"{second:.2f}", f"{second / first:.2f}", f"{other:,}"])
    return lines


def beside(study: Study) -> Section:
    """Processor time beside scikit-learn's: the neighbours."""
    rows = kept(study, "beside", lambda: _beside(study))
    return Section(
        "Handwritten digits: neighbours compared with scikit-learn",
        "Processor time, one thread, one run. The neighbours of 1,000 test digits are found among all "
        "60,000, after a warm-up call.",
        tuple(Row(**row) for row in rows),
    )


def _beside(study: Study) -> list[dict[str, Any]]:
    from sklearn.neighbors import KNeighborsClassifier

    every, asked = plain(study.images), plain(study.tests[:1_000])
    near = neighbours(plain)(study.images, study.labels).model
    near.predict(asked)  # compiles, and lays the stored digits out for products of matrices
    start = time.process_time()
    said = near.predict(asked)
    took = time.process_time() - start
    brute = KNeighborsClassifier(3, algorithm="brute").fit(every, study.labels)
    start = time.process_time()
    same = int((brute.predict(asked) == said).sum())
    theirs = time.process_time() - start
    rows = [
        speed("3-NN of 1,000 digits", took, "scikit-learn", theirs, 1.0),
        at_most("a digit", took / len(asked), 0.003),
        Row("the same class", f"{same:,} of {len(asked):,}"),
    ]
    return [asdict(row) for row in rows]


def machines(study: Study) -> Section:
    """Processor time and memory of the support vector machine beside scikit-learn's, a fresh process each."""
    rows = []
    for n in N_MACHINE:
        ours, theirs = (
            kept(study, f"machine-{name}-{n}", partial(_in_child, study, name, n))
            for name in ("induce", "SVC")
        )
        rows += [
            speed(f"train an SVM on {n:,}", ours["took"], "SVC", theirs["took"], 3.0),
            Row(
                "its memory, tables included",
                f"{ours['peak']:.2f} GB",
                f"SVC {theirs['peak']:.2f} GB",
                target="≤ 3 GB",
                holds=ours["peak"] <= 3,
            ),
            Row("its error in %", f"{ours['error']:.2f}", f"SVC {theirs['error']:.2f}"),
            Row("its support vectors", f"{ours['vectors']:,}", f"SVC {theirs['vectors']:,}"),
        ]
    return Section(
        "Handwritten digits: support vector machines compared with scikit-learn",
        "Processor time, one thread, one run, each SVM in a separate process. Gaussian kernel, gamma "
        f"{GAMMA}, C {C:g}, a row cache of 700 MB, pixels from 0 to 1 without preprocessing.",
        tuple(rows),
    )


def _in_child(study: Study, name: str, n: int) -> Any:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    given = study.images[:n], study.labels[:n], study.tests, study.truth
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_trained, name, *given).result()


def _trained(name: str, images: Any, labels: Any, tests: Any, truth: Any) -> dict[str, float]:
    """Train a machine; return its time, the peak of memory in GB, its error in % and number of support vectors."""
    import resource

    from sklearn.svm import SVC

    if name == "induce":
        machine(plain, GAMMA, C)(images[:500], labels[:500])  # compiles
        start = time.process_time()
        model = machine(plain, GAMMA, C)(images, labels).model
        took = time.process_time() - start
        vectors = len(model.hypothesis_.rows)
    else:
        X, model = plain(images), SVC(gamma=GAMMA, C=C, cache_size=700)
        start = time.process_time()
        model.fit(X, labels)
        took = time.process_time() - start
        vectors = int(model.n_support_.sum())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    error = 100 * float((np.asarray(model.predict(plain(tests))) != truth).mean())
    return {"took": took, "peak": peak, "error": error, "vectors": vectors}


CHECKS: dict[str, Callable[[Study], Listing | Section]] = {
    "pruned": pruned,
    "permuted": permuted,
    "beside": beside,
    "machines": machines,
}
