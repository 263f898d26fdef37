"""Helper functions of exported Python source, each nested in the function with the `row`."""

from __future__ import annotations

from induce.core.ties import TOLERANCE

HELPERS = {
    "missing": """\
def missing(cell):
    return cell is None or cell != cell""",
    "days": """\
def days(cell):
    if missing(cell):
        return math.nan
    if isinstance(cell, str):
        cell = datetime.datetime.fromisoformat(cell)
    if isinstance(cell, datetime.datetime):
        offset = cell.utcoffset() or datetime.timedelta()
        since = cell.replace(tzinfo=None) - offset - datetime.datetime(1970, 1, 1)
        return (since // datetime.timedelta(milliseconds=1)) / 86400000
    if isinstance(cell, datetime.date):
        return float(cell.toordinal() - 719163)
    return float(cell)""",
    "text": """\
def text(cell):
    if missing(cell) or isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return 'true' if cell else 'false'
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)""",
    "number": """\
def number(cell, otherwise):
    return otherwise if missing(cell) else float(cell)""",
    "scaled": """\
def scaled(cell, otherwise, offset, scale, far):
    return otherwise if missing(cell) else min(max((float(cell) - offset) / scale, -far), far)""",
    "look_up": """\
def look_up(cell, says, unseen, otherwise):
    return otherwise if missing(cell) else says.get(cell, unseen)""",
    "step": """\
def step(cell, ends, says, otherwise):
    return otherwise if missing(cell) else says[sum(float(cell) > end for end in ends)]""",
    "indicators": """\
def indicators(cell, values, otherwise):
    return [float(cell == value) for value in values] if cell in values else otherwise""",
    "add": """\
def add(totals, terms):
    for place, term in enumerate(terms):
        totals[place] += term""",
    "affine": """\
def affine(matrix, x, offset):
    found = list(offset)
    for place, row in enumerate(matrix):
        for weight, value in zip(row, x):
            found[place] += weight * value
    return found""",
    "distances": """\
def distances(points, x, weights):
    found = [0.0] * len(points)
    for place, point in enumerate(points):
        for weight, value, at in zip(weights, x, point):
            gap = (value - at) * weight
            found[place] += gap * gap
    return found""",
    "log_sum_exp": """\
def log_sum_exp(x):
    highest = max(x)
    return highest if highest == -math.inf else math.log(math.fsum(math.exp(a - highest) for a in x)) + highest""",
    "voted": """\
def voted(x, weights, survival, score):
    vote = 0.0
    for weight, value, votes in zip(weights, x, survival):
        score += weight * value
        vote += votes if score >= 0 else -votes
    return vote / sum(survival)""",
    "words": """\
def words(cell, logs, pattern, lowercase, once, n):
    total = [0.0] * n
    if missing(cell):
        return total
    found = [word for word in re.findall(pattern, cell.lower() if lowercase else cell) if word in logs]
    for word in sorted(set(found)) if once else found:
        total = [a + b for a, b in zip(total, logs[word])]
    return total""",
    "first_largest": f"""\
def first_largest(scores):
    top = max(scores)
    slack = {TOLERANCE} * abs(top) if abs(top) < math.inf else 0.0
    return next(place for place, score in enumerate(scores) if score >= top - slack)""",
    "way": """\
def way(dates, texts, column, test, leads):
    cell = row.get(column)
    if missing(cell):
        return None
    if test and test[0] is None:
        cell = days(cell) if column in dates else float(cell)
        return leads[sum(cell > end for end in test[1:])]
    cell = text(cell) if column in texts else cell
    return leads[test.index(cell)] if cell in test else -1""",
    "ends": """\
def ends(nodes, dates, texts):
    waiting = [(0, 1.0)]
    while waiting:
        node, part = waiting.pop()
        said, column, test, leads, surrogates, parts = nodes[node]
        onward = -1 if column is None else way(dates, texts, column, test, leads)
        if onward is None:
            found = [way(dates, texts, *surrogate) for surrogate in surrogates]
            onward = next((each for each in found if each not in (None, -1)), None)
        if onward is None:
            waiting += [(child, part * share) for child, share in parts]
        elif onward >= 0:
            waiting.append((onward, part))
        else:
            yield said, part""",
    "descend": """\
def descend(nodes, dates, texts):
    scores = [0.0] * len(nodes[0][0])
    for said, part in ends(nodes, dates, texts):
        scores = [score + part * share for score, share in zip(scores, said)]
    return scores""",
    "ended_at": """\
def ended_at(nodes, dates, texts):
    return next(said for said, part in ends(nodes, dates, texts))""",
}
NEEDS = {
    "days": ("missing",),
    "text": ("missing",),
    "number": ("missing",),
    "scaled": ("missing",),
    "look_up": ("missing",),
    "step": ("missing",),
    "way": ("missing",),
    "words": ("missing",),
    "descend": ("missing", "way", "ends"),
    "ended_at": ("missing", "way", "ends"),
}
"""Callees of each helper function."""
