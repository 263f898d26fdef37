"""Run the comparisons and print them as Markdown."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import ONE_THREAD, Listing, Section, machine, markdown

PARTS = (
    "startup",
    "first-use",
    "growth",
    "memory",
    "scaling",
    "binned",
    "prediction",
    "incremental",
    "shortest",
    "evaluation",
    "coverage",
    "adult",
    "tables",
    "rules",
    "rules-speed",
    "rules-noise",
    "relational",
    "relational-judge",
    "logic",
    "analytical",
    "control",
    "list-programs",
    "macros",
    "focl",
    "ebnn",
    "tangents",
    "spectrum",
    "wrong-theories",
    "newsgroups",
    "simple",
    "neighbors",
    "bayes",
    "kernels",
    "linear",
    "neural",
    "gradient-tables",
    "kbann",
    "ensembles",
    "ensembles-of-numbers",
    "mixtures",
    "sequences",
    "evolved-rules",
    "networks",
    "structures",
    "programs",
    "evolution",
    "games",
    "q-learning",
    "function-approximation",
    "decisions",
    "checkers",
    "scale",
    "digits",
    "faces",
)
WITH_DATA = (
    "adult",
    "tables",
    "gradient-tables",
    "kbann",
    "tangents",
    "rules",
    "newsgroups",
    "simple",
    "networks",
    "structures",
    "digits",
    "faces",
)
SCALES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
Measurement = Callable[[], Iterable[Section | Listing]]


def parser() -> argparse.ArgumentParser:
    """The options."""
    options = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    options.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=str(PARTS))
    options.add_argument("--sizes", nargs="+", type=int, default=[100_000, 1_000_000], help="rows to grow on")
    options.add_argument("--rows", type=int, default=1_000_000, help="rows to predict")
    options.add_argument("--trees", type=int, help="trees of bags and forests, for a quick look")
    options.add_argument("--data", type=Path, metavar="DIR", help="real data: arff/*.arff and tables/*.csv")
    options.add_argument("--weka", metavar="JAR", help="weka.jar, if python-weka-wrapper3 is not installed")
    options.add_argument("--orange", metavar="PYTHON", help="a Python that has Orange3")
    options.add_argument("--wittgenstein", metavar="PYTHON", help="a Python that has wittgenstein")
    options.add_argument("--approximate", metavar="PYTHON", help="a Python that has faiss and hnswlib")
    options.add_argument("--hmmlearn", metavar="PYTHON", help="a Python that has hmmlearn")
    options.add_argument("--boosters", metavar="PYTHON", help="a Python that has lightgbm and interpret")
    options.add_argument("--networks", metavar="PYTHON", help="a Python that has pyagrum and pgmpy")
    options.add_argument("--evolution", metavar="PYTHON", help="a Python that has gplearn and deap")
    options.add_argument("--breeders", metavar="PYTHON", help="a Python that has deap and pygad")
    options.add_argument("--quantecon", metavar="PYTHON", help="a Python that has quantecon")
    options.add_argument("--torch", metavar="PYTHON", help="a Python that has torch")
    options.add_argument("--openspiel", metavar="PYTHON", help="a Python that has open_spiel")
    options.add_argument(
        "--players", type=Path, metavar="DIR", help="keep players here, and go on with those there"
    )
    options.add_argument("--games", type=int, default=160_000, help="the most games of self-play")
    options.add_argument("--aleph", type=Path, metavar="FILE", help="Aleph's source; it needs SWI-Prolog")
    options.add_argument(
        "--popper",
        nargs=2,
        metavar=("PYTHON", "POPPER.PY"),
        help="a Python that can run Popper, and its script",
    )
    options.add_argument(
        "--results",
        type=Path,
        metavar="SQLITE",
        help="keep the experiment of rules or ensembles, or simulated coverage, here, and go on with it",
    )
    options.add_argument("--tables", type=int, default=20, help="simulated tables of each kind and size")
    options.add_argument("--all", action="store_true", help="every database of relational-judge")
    options.add_argument(
        "--methods",
        nargs="+",
        metavar="NAME",
        help="methods and checks of digits, such as svm svm-5000 lenet-5 sizes speeds pruned; all if not given",
    )
    options.add_argument("--out", type=Path, metavar="FILE", help="also write the report here")
    return options


def main(arguments: Sequence[str] | None = None) -> str:
    """Run what was asked for; return the report."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(given)
    os.environ.update(ONE_THREAD)  # before numpy and its kin are imported
    about = machine()
    sections = []
    for part, measurement in _measurements(options).items():
        if part in options.only:
            print(f"measuring {part} …", file=sys.stderr, flush=True)
            for section in measurement():
                sections.append(markdown(section))
                print(sections[-1] + "\n", flush=True)
    report = "\n\n".join([_heading(given, about), *sections]) + "\n"
    if options.out is not None:
        options.out.write_text(report, encoding="utf-8")
    return report


def _measurements(options: argparse.Namespace) -> dict[str, Measurement]:
    from benchmarks import trees
    from benchmarks.coverage import coverage
    from benchmarks.evaluation import evaluation
    from benchmarks.first_fit import first_fits
    from benchmarks.incremental import incremental
    from benchmarks.shortest import shortest
    from benchmarks.startup import startup

    scales = [n for n in SCALES if n <= max(options.sizes)] or options.sizes
    chosen: dict[str, Measurement] = {
        "startup": lambda: [startup()],
        "first-use": first_fits,
        "growth": lambda: [trees.growth(options.sizes)],
        "memory": lambda: [trees.memory(options.sizes)],
        "scaling": lambda: [trees.scaling(scales)],
        "binned": lambda: [trees.binned(max(options.sizes))],
        "prediction": lambda: [trees.prediction(min(100_000, max(options.sizes)), options.rows)],
        "incremental": lambda: [incremental(min(20_000, max(options.sizes)))],
        "shortest": lambda: [shortest(200)],
        "evaluation": lambda: [evaluation(min(10_000, max(options.sizes)))],
        "coverage": lambda: coverage(options.tables, options.results),
        **_of_rules(options),
        **_of_noise(),
        **_of_relations(options),
        **_of_knowledge(options),
        **_of_neighbors(options),
        **_of_kernels(options),
        **_of_linear(options),
        **_of_neural(options),
        **_of_ensembles(options),
        **_of_numbers(options),
        **_of_bayes(options),
        **_of_programs(options),
        **_of_evolution(options),
        **_of_games(options),
        **_of_q_learning(options),
        **_of_function_approximation(options),
        **_of_decisions(options),
        **_of_checkers(options),
        **_of_mixtures(options),
        **_of_evolved_rules(options),
        **_of_sequences(options),
        **_of_structures(options),
        **_of_scale(options),
    }
    if options.data is not None:
        return chosen | _with_data(options)
    for part in WITH_DATA:
        if part in options.only:
            print(f"{part} is left out: it needs --data DIR", file=sys.stderr)
    return chosen


def _of_scale(options: argparse.Namespace) -> dict[str, Measurement]:
    from benchmarks.scale import scale

    return {"scale": lambda: scale(max(options.sizes), options.boosters)}


def _of_noise() -> dict[str, Measurement]:
    from benchmarks.rules_noise import rules_noise

    return {"rules-noise": rules_noise}


def _of_linear(options: argparse.Namespace) -> dict[str, Measurement]:
    from benchmarks.linear import linear

    return {"linear": lambda: linear(options.data)}


def _of_neural(options: argparse.Namespace) -> dict[str, Measurement]:
    from benchmarks.neural import neural

    if options.torch is None:
        print("neural networks are not compared with PyTorch: give --torch", file=sys.stderr)
    return {"neural": lambda: neural(options.data, options.torch)}


def _with_data(options: argparse.Namespace) -> dict[str, Measurement]:
    """Studies of real data; what trees learn from them is compared with Weka's."""
    from benchmarks.newsgroups import newsgroups

    chosen: dict[str, Measurement] = {"newsgroups": lambda: newsgroups(options.data)}
    if "gradient-tables" in options.only:
        from benchmarks.gradient_tables import gradient_tables

        chosen["gradient-tables"] = lambda: gradient_tables(options.data)
    if "kbann" in options.only:
        from benchmarks.kbann import kbann

        chosen["kbann"] = lambda: kbann(options.data, options.torch)
    if "tangents" in options.only:
        from benchmarks.tangents import tangents

        chosen["tangents"] = lambda: tangents(options.data)
    if "networks" in options.only:
        from benchmarks.networks import networks

        if options.networks is None:
            print("networks are not compared with pyAgrum and pgmpy: give --networks", file=sys.stderr)
        chosen["networks"] = lambda: networks(options.data, options.networks)
    if "digits" in options.only:
        from benchmarks.digits import digits

        chosen["digits"] = lambda: digits(options.data, options.out, options.methods)
    if "faces" in options.only:
        from benchmarks.faces import faces

        chosen["faces"] = lambda: faces(options.data)
    if not {"adult", "tables"} & set(options.only):
        return chosen
    from benchmarks.adult import adult
    from benchmarks.tables import tables
    from benchmarks.weka import find_jar

    jar = find_jar(options.weka)
    return chosen | {"adult": lambda: [adult(options.data, jar)], "tables": lambda: tables(options.data, jar)}


def _of_rules(options: argparse.Namespace) -> dict[str, Measurement]:
    """Rules, naive Bayes and neighbours are compared with the peers that are there, speed also without real data."""
    if not {"rules", "rules-speed", "simple"} & set(options.only):
        return {}
    from benchmarks.rules import rules
    from benchmarks.rules_speed import rules_speed
    from benchmarks.simple import simple
    from benchmarks.weka import find_jar

    places = {name: getattr(options, name) for name in ("orange", "wittgenstein") if getattr(options, name)}
    if options.weka or find_spec("weka"):
        places["weka"] = str(find_jar(options.weka))
    else:
        print("rules are not compared with Weka: give weka.jar with --weka", file=sys.stderr)
    for name in ("orange", "wittgenstein"):
        if name not in places:
            print(f"rules are not compared with {name}: give its Python with --{name}", file=sys.stderr)
    chosen: dict[str, Measurement] = {"rules-speed": lambda: rules_speed(options.data, places)}
    if options.data is not None:
        chosen["rules"] = lambda: rules(options.data, places, options.results)
        chosen["simple"] = lambda: simple(options.data, places, options.results)
    return chosen


def _of_relations(options: argparse.Namespace) -> dict[str, Measurement]:
    """First-order rules are compared with those peers that are there, and the provers with SWI-Prolog if it is."""
    asked = {"relational", "relational-judge", "logic", "analytical", "control", "macros", "list-programs"}
    if not asked & set(options.only):
        return {}
    from benchmarks.analytical import analytical
    from benchmarks.control import control
    from benchmarks.list_programs import list_programs
    from benchmarks.logic import logic
    from benchmarks.macros import macros
    from benchmarks.relational import relational
    from benchmarks.relational_judge import relational_judge

    if "relational" in options.only:
        for name, place in (("Aleph", options.aleph), ("Popper", options.popper)):
            if place is None:
                print(
                    f"relational learners are not compared with {name}: give --{name.lower()}",
                    file=sys.stderr,
                )
    return {
        "relational": lambda: relational(options.data, options.aleph, options.popper),
        "relational-judge": lambda: relational_judge(options.all),
        "logic": logic,
        "analytical": analytical,
        "control": control,
        "list-programs": list_programs,
        "macros": macros,
    }


def _of_knowledge(options: argparse.Namespace) -> dict[str, Measurement]:
    """Rules that an expert suggests are compared with rules from examples alone; promoters need real data."""
    if not {"focl", "ebnn", "spectrum", "wrong-theories"} & set(options.only):
        return {}
    from benchmarks.ebnn import ebnn
    from benchmarks.knowledge import knowledge
    from benchmarks.spectrum import spectra
    from benchmarks.wrong_theories import wrong_theories

    return {
        "focl": lambda: knowledge(options.data),
        "ebnn": ebnn,
        "spectrum": spectra,
        "wrong-theories": wrong_theories,
    }


def _of_neighbors(options: argparse.Namespace) -> dict[str, Measurement]:
    """Neighbours are compared with scikit-learn, and with the other peers that are there."""
    if "neighbors" not in options.only:
        return {}
    from benchmarks.neighbors import neighbors
    from benchmarks.weka import find_jar

    jar = find_jar(options.weka) if options.weka or find_spec("weka") else None
    for name, place in (("Weka", jar), ("faiss and hnswlib", options.approximate)):
        if place is None:
            option = "--weka" if name == "Weka" else "--approximate"
            print(f"neighbours are not compared with {name}: give {option}", file=sys.stderr)
    return {"neighbors": lambda: neighbors(options.data, jar, options.approximate)}


def _of_checkers(options: argparse.Namespace) -> dict[str, Measurement]:
    """Learners of games that are put together from their parts."""
    if "checkers" not in options.only:
        return {}
    from benchmarks.checkers import checkers

    return {"checkers": checkers}


def _of_evolution(options: argparse.Namespace) -> dict[str, Measurement]:
    """Genetic algorithms are compared with DEAP and PyGAD, if they are there."""
    if "evolution" not in options.only:
        return {}
    from benchmarks.evolution import evolution

    if options.breeders is None:
        print("evolution is not compared with DEAP and PyGAD: give --breeders", file=sys.stderr)
    return {"evolution": lambda: evolution(options.breeders)}


def _of_games(options: argparse.Namespace) -> dict[str, Measurement]:
    """Backgammon is compared with OpenSpiel if it is there; players need the weights of pubeval."""
    if "games" not in options.only:
        return {}
    from benchmarks.games import games

    if options.openspiel is None:
        print("backgammon is not compared with OpenSpiel: give --openspiel", file=sys.stderr)
    return {"games": lambda: games(options.data, options.openspiel, options.players, options.games)}


def _of_q_learning(options: argparse.Namespace) -> dict[str, Measurement]:
    """Q learning is compared with a loop over gymnasium where that is installed."""
    if "q-learning" not in options.only:
        return {}
    from benchmarks.reinforcement import q_learning

    if find_spec("gymnasium") is None:
        print("Q learning is not compared with gymnasium: install induce[rl]", file=sys.stderr)
    return {"q-learning": q_learning}


def _of_function_approximation(options: argparse.Namespace) -> dict[str, Measurement]:
    """Mountain car is compared with gymnasium's where that is installed."""
    if "function-approximation" not in options.only:
        return {}
    from benchmarks.function_approximation import function_approximation

    if find_spec("gymnasium") is None:
        print("mountain car is not compared with gymnasium's: install induce[rl]", file=sys.stderr)
    return {"function-approximation": function_approximation}


def _of_decisions(options: argparse.Namespace) -> dict[str, Measurement]:
    """Dynamic programming is compared with quantecon where there is a Python that has it."""
    if "decisions" not in options.only:
        return {}
    from benchmarks.decisions import decisions

    if options.quantecon is None:
        print(
            "dynamic programming is not compared with quantecon: it needs --quantecon PYTHON", file=sys.stderr
        )
    return {"decisions": lambda: decisions(options.quantecon)}


def _of_bayes(options: argparse.Namespace) -> dict[str, Measurement]:
    """Naive Bayes is compared with scikit-learn, on texts only if there are real data."""
    if "bayes" not in options.only:
        return {}
    from benchmarks.bayes import bayes

    return {"bayes": lambda: bayes(options.data, options.rows, 50 * options.rows)}


def _of_mixtures(options: argparse.Namespace) -> dict[str, Measurement]:
    """Mixtures are compared with scikit-learn, and with hidden classes only if there are real data."""
    if "mixtures" not in options.only:
        return {}
    from benchmarks.mixtures import mixtures

    return {"mixtures": lambda: mixtures(options.data)}


def _of_evolved_rules(options: argparse.Namespace) -> dict[str, Measurement]:
    """Bred rules learn generated concepts, and a real table if there is one."""
    if "evolved-rules" not in options.only:
        return {}
    from benchmarks.evolved_rules import evolved_rules

    return {"evolved-rules": lambda: evolved_rules(options.data)}


def _of_structures(options: argparse.Namespace) -> dict[str, Measurement]:
    """Arcs of networks are learned from samples of known networks, and compared with the peers that are there."""
    if "structures" not in options.only or options.data is None:
        return {}
    from benchmarks.structures import structures

    if options.networks is None:
        print("learners of arcs are not compared with pyAgrum and pgmpy: give --networks", file=sys.stderr)
    return {"structures": lambda: structures(options.data, options.networks)}


def _of_sequences(options: argparse.Namespace) -> dict[str, Measurement]:
    """Hidden Markov models are compared with hmmlearn if it is there; letters of English need real data."""
    if "sequences" not in options.only:
        return {}
    from benchmarks.sequences import sequences

    if options.hmmlearn is None:
        print("hidden Markov models are not compared with hmmlearn: give --hmmlearn", file=sys.stderr)
    return {"sequences": lambda: sequences(options.data, options.hmmlearn)}


def _of_programs(options: argparse.Namespace) -> dict[str, Measurement]:
    """Formulas are compared with gplearn and DEAP if they are there."""
    if "programs" not in options.only:
        return {}
    from benchmarks.programs import programs

    if options.evolution is None:
        print("formulas are not compared with gplearn and DEAP: give --evolution", file=sys.stderr)
    return {"programs": lambda: programs(options.data, options.evolution)}


def _of_kernels(options: argparse.Namespace) -> dict[str, Measurement]:
    """Support vector machines are compared with libsvm, and with Weka's if it is there."""
    if "kernels" not in options.only:
        return {}
    from benchmarks.kernels import kernels
    from benchmarks.weka import find_jar

    jar = find_jar(options.weka) if options.weka or find_spec("weka") else None
    if jar is None:
        print("kernel machines are not compared with Weka: give --weka", file=sys.stderr)
    return {"kernels": lambda: kernels(options.data, jar)}


def _of_ensembles(options: argparse.Namespace) -> dict[str, Measurement]:
    """Ensembles are compared with scikit-learn, and with the other peers that are there."""
    if "ensembles" not in options.only:
        return {}
    from benchmarks.ensembles import ensembles
    from benchmarks.weka import find_jar

    jar = find_jar(options.weka) if options.weka or find_spec("weka") else None
    if jar is None:
        print("ensembles are not compared with Weka: give --weka", file=sys.stderr)
    return {
        "ensembles": lambda: ensembles(
            options.data, jar, options.boosters, options.results, trees=options.trees
        )
    }


def _of_numbers(options: argparse.Namespace) -> dict[str, Measurement]:
    """Regression ensembles are compared with scikit-learn."""
    if "ensembles-of-numbers" not in options.only:
        return {}
    from benchmarks.ensembles_of_numbers import numbers

    return {"ensembles-of-numbers": lambda: numbers(options.data)}


def _heading(given: list[str], about: str) -> str:
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "Times are wall times on one thread, after compilation; the systems take turns in one "
            "run. Only the ratios carry over to another machine. A ratio above 1 is our speed-up; for "
            "memory, it is our use relative to the peer's. Targets that are missed stay listed.",
            "",
            f"{date.today().isoformat()}. {about}",
            "",
            "```",
            "python -m benchmarks " + " ".join(_without_paths(given)),
            "```",
        ]
    )


def _without_paths(given: list[str]) -> list[str]:
    """The command as anyone could give it: paths of this machine say nothing to others."""
    names = {"--data": ["DIR"], "--weka": ["JAR"], "--out": ["FILE"], "--results": ["SQLITE"]}
    names |= {"--orange": ["PYTHON"], "--wittgenstein": ["PYTHON"], "--approximate": ["PYTHON"]}
    names |= {"--boosters": ["PYTHON"], "--hmmlearn": ["PYTHON"], "--evolution": ["PYTHON"]}
    names |= {"--openspiel": ["PYTHON"], "--torch": ["PYTHON"], "--players": ["DIR"]}
    names |= {"--aleph": ["FILE"], "--popper": ["PYTHON", "POPPER.PY"]}
    shown = list(given)
    for i, word in enumerate(given):
        option, equals, _ = word.partition("=")
        if option in names and equals:
            shown[i] = f"{option}={names[option][0]}"
        elif option in names:
            shown[i + 1 : i + 1 + len(names[option])] = names[option]
    return shown


if __name__ == "__main__":
    main()
