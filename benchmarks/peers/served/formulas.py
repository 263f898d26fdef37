"""gplearn and DEAP on formulas: ``formulas.py TASKS.json``; it prints one line of JSON, a result for each task.

A task is a dict: `system`, the rows `X` and `y` or a seed to make them from, `functions`, `population`, `generations`
and `seed`.
"""

import json
import operator
import random
import sys
import time
import warnings

import numpy as np


def rows(task):
    if "rows" not in task:
        return np.array(task["X"]), np.array(task["y"])
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (task["rows"], 5))
    return X, X[:, 0] ** 3 + X[:, 1] * X[:, 2] - X[:, 3] / (2 + X[:, 4] ** 2)


def gplearn(task):
    from gplearn.genetic import SymbolicRegressor

    X, y = rows(task)
    learner = SymbolicRegressor(
        population_size=task["population"],
        generations=task["generations"],
        function_set=task["functions"],
        const_range=tuple(task["constants"]) if task.get("constants") else None,
        stopping_criteria=task.get("stop", -1.0),
        random_state=task["seed"],
    )
    start = time.process_time()
    learner.fit(X, y)
    taken = time.process_time() - start
    details = learner.run_details_
    nodes = sum(details["average_length"]) * task["population"]
    # the best of the whole run, as good as can be told: the last generation's, and every one that is kept
    errors = [
        float(np.abs(program.execute(X) - y).max())
        for generation in learner._programs
        if generation
        for program in generation
        if program is not None
    ]
    return {
        "seconds": taken,
        "nodes": nodes,
        "worst": min(errors),
        "evaluations": len(details["average_length"]) * task["population"],
    }


def deap(task):
    from deap import algorithms, base, creator, gp, tools

    X, y = rows(task)
    random.seed(task["seed"])

    def div(a, b):
        with np.errstate(all="ignore"):
            return np.where(np.abs(b) > 0.001, a / b, 1.0)

    primitives = gp.PrimitiveSet("MAIN", X.shape[1])
    for name, function in (("add", operator.add), ("sub", operator.sub), ("mul", operator.mul), ("div", div)):
        primitives.addPrimitive(function, 2, name=name)
    primitives.addEphemeralConstant("constant", lambda: random.uniform(-1, 1))
    if not hasattr(creator, "Formula"):
        creator.create("Error", base.Fitness, weights=(-1.0,))
        creator.create("Formula", gp.PrimitiveTree, fitness=creator.Error)
    box = base.Toolbox()
    box.register("expr", gp.genHalfAndHalf, pset=primitives, min_=2, max_=6)
    box.register("individual", tools.initIterate, creator.Formula, box.expr)
    box.register("population", tools.initRepeat, list, box.individual)
    columns, nodes = list(X.T), [0]

    def error(individual):
        nodes[0] += len(individual)
        with np.errstate(all="ignore"):
            found = np.mean((gp.compile(individual, primitives)(*columns) - y) ** 2)
        return (float(found) if np.isfinite(found) else 1e300,)

    box.register("evaluate", error)
    box.register("select", tools.selTournament, tournsize=20)
    box.register("mate", gp.cxOnePoint)
    box.register("expr_mut", gp.genFull, min_=0, max_=2)
    box.register("mutate", gp.mutUniform, expr=box.expr_mut, pset=primitives)
    for name in ("mate", "mutate"):
        box.decorate(name, gp.staticLimit(key=operator.attrgetter("height"), max_value=17))
    start = time.process_time()
    algorithms.eaSimple(
        box.population(task["population"]), box, 0.9, 0.03, task["generations"] - 1, verbose=False
    )
    return {"seconds": time.process_time() - start, "nodes": nodes[0]}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with open(sys.argv[1], encoding="utf-8") as file:
        tasks = json.load(file)
    print(json.dumps([{"gplearn": gplearn, "DEAP": deap}[task["system"]](task) for task in tasks]))
