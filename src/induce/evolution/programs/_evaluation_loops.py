"""Loops that work formulas out: one small interpreter over flat programs, a block of rows at a time.

A formula is read backwards, so that the arguments of a function lie on top of the stack when it is met. The stack
holds numbers of columns and of slots. A slot is a block of rows that stays in the cache; columns are never copied.
"""

from __future__ import annotations

import math
from typing import Any

from induce.core.loops import loop

ADD, SUB, MUL, DIV, MAX, MIN, POW = 0, 1, 2, 3, 4, 5, 6
UNARY = 8
"""Codes below take two arguments."""
NEG, ABS, SQRT, LOG, INV, SIN, COS, TAN, SIG, EXP, SQUARE = 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
CONSTANT = 30
COLUMN = 32
"""The code of the first column."""

NEAR_ZERO = 0.001
"""What is nearer to zero is no divisor, and has no logarithm."""
LARGEST_EXPONENT = 50.0
"""Where exponential functions end."""
LARGEST_POWER = 115.0
"""The largest logarithm of a power: powers end near 1e50."""
STEP = 1e-6
"""By how much a constant is moved to see what follows."""
EXACT = 1e-6
"""A formula that leaves less than this share of the variance has its error summed row by row."""


@loop
def binary(code: Any, a: Any, b: Any, c: Any, n: Any) -> None:
    """Write a function of two blocks of rows into a third."""
    if code == ADD:
        for r in range(n):
            c[r] = a[r] + b[r]
    elif code == SUB:
        for r in range(n):
            c[r] = a[r] - b[r]
    elif code == MUL:
        for r in range(n):
            c[r] = a[r] * b[r]
    elif code == DIV:
        for r in range(n):
            divides = abs(b[r]) > NEAR_ZERO
            quotient = a[r] / (b[r] if divides else 1.0)
            c[r] = quotient if divides else 1.0
    elif code == POW:
        for r in range(n):
            c[r] = power(a[r], b[r])
    else:
        sign = 1.0 if code == MAX else -1.0
        for r in range(n):
            c[r] = a[r] if sign * a[r] >= sign * b[r] else b[r]


@loop
def power(x: Any, y: Any) -> Any:
    """Return |x| to the power of y, with the sign of x where y is odd; 1 where that has no value."""
    base = abs(x)
    if base <= NEAR_ZERO and y <= 0.0:
        return 1.0
    if base == 0.0:
        return 0.0
    if not abs(y * math.log(base)) < LARGEST_POWER:
        return 1.0
    found = base**y
    return -found if x < 0.0 and y % 2.0 == 1.0 else found


@loop
def unary(code: Any, a: Any, c: Any, n: Any) -> None:
    """Write a function of a block of rows into another."""
    if code == NEG:
        for r in range(n):
            c[r] = -a[r]
    elif code == ABS:
        for r in range(n):
            c[r] = abs(a[r])
    elif code == SQRT:
        for r in range(n):
            c[r] = math.sqrt(abs(a[r]))
    elif code == SQUARE:
        for r in range(n):
            c[r] = a[r] * a[r]
    else:
        for r in range(n):
            c[r] = transcendental(code, a[r])


@loop
def transcendental(code: Any, x: Any) -> Any:
    """Return a function of a number that takes longer than to look up which function it is."""
    if code == LOG:
        return math.log(abs(x)) if abs(x) > NEAR_ZERO else 0.0
    if code == INV:
        return 1.0 / x if abs(x) > NEAR_ZERO else 0.0
    if code == EXP:
        return math.exp(max(min(x, LARGEST_EXPONENT), -LARGEST_EXPONENT))
    if code == SIG:
        return 1.0 / (1.0 + math.exp(-max(min(x, LARGEST_EXPONENT), -LARGEST_EXPONENT)))
    if not abs(x) < math.inf:
        return math.nan
    if code == SIN:
        return math.sin(x)
    if code == COS:
        return math.cos(x)
    return math.tan(x)


@loop
def evaluate(
    codes: Any, constants: Any, size: Any, columns: Any, n: Any, slots: Any, held: Any, free: Any, out: Any
) -> None:
    """Work a formula out on the n rows of a block."""
    n_columns = columns.shape[0]
    n_free = slots.shape[0]
    for s in range(n_free):
        free[s] = s
    top = 0
    for i in range(size - 1, -1, -1):
        code = codes[i]
        if code >= COLUMN:
            held[top] = code - COLUMN
            top += 1
            continue
        n_free -= 1
        slot = free[n_free]
        c = slots[slot]
        if code == CONSTANT:
            value = constants[i]
            for r in range(n):
                c[r] = value
            top += 1
        else:
            first = held[top - 1]
            a = columns[first] if first < n_columns else slots[first - n_columns]
            if code < UNARY:
                second = held[top - 2]
                b = columns[second] if second < n_columns else slots[second - n_columns]
                binary(code, a, b, c, n)
                if second >= n_columns:
                    free[n_free] = second - n_columns
                    n_free += 1
                top -= 1
            else:
                unary(code, a, c, n)
            if first >= n_columns:
                free[n_free] = first - n_columns
                n_free += 1
        held[top - 1] = n_columns + slot
    result = held[0]
    a = columns[result] if result < n_columns else slots[result - n_columns]
    for r in range(n):
        out[r] = a[r]


@loop
def outputs(
    codes: Any,
    constants: Any,
    size: Any,
    blocks: Any,
    n_rows: Any,
    slots: Any,
    held: Any,
    free: Any,
    out: Any,
) -> None:
    """Work a formula out on all rows."""
    width = blocks.shape[2]
    for b in range(blocks.shape[0]):
        start = b * width
        n = min(width, n_rows - start)
        evaluate(codes, constants, size, blocks[b], n, slots, held, free, out[start : start + n])


@loop
def term_end(codes: Any, start: Any) -> Any:
    """Return where the subtree of a node ends."""
    i, wanted = start, 1
    while wanted > 0:
        code = codes[i]
        if code < UNARY:
            wanted += 1
        elif code >= CONSTANT:
            wanted -= 1
        i += 1
    return i


@loop
def split(codes: Any, size: Any, most: Any, starts: Any) -> Any:
    """Find where the terms of a sum begin, at most so many; return their number.

    `starts` has one place more than there may be terms. Whether a term is added or taken off plays no part.
    """
    n, open_, i = 0, 1, 0
    while open_ > 0:
        if codes[i] <= SUB and n + open_ < most:
            open_ += 1
            i += 1
            continue
        starts[n] = i
        i = term_end(codes, i)
        n += 1
        open_ -= 1
    starts[n] = size
    return n


@loop
def dot(a: Any, b: Any, n: Any) -> Any:
    """Return the product of two vectors, in four sums that do not wait for each other."""
    whole = n - n % 4
    s0 = s1 = s2 = s3 = 0.0
    for r in range(0, whole, 4):
        s0 += a[r] * b[r]
        s1 += a[r + 1] * b[r + 1]
        s2 += a[r + 2] * b[r + 2]
        s3 += a[r + 3] * b[r + 3]
    for r in range(whole, n):
        s0 += a[r] * b[r]
    return (s0 + s1) + (s2 + s3)


@loop
def solve(gram: Any, product: Any, m: Any, found: Any) -> None:
    """Solve normal equations of m terms in place; what the terms before it explain gets no coefficient."""
    for k in range(m):
        found[k] = gram[k, k]  # for a look at how much of it is left
    for k in range(m):
        if not gram[k, k] > 1e-10 * found[k] or not found[k] > 1e-280:
            gram[k, k] = 0.0
            continue
        for j in range(k + 1, m):
            share = gram[j, k] / gram[k, k]
            for i in range(k + 1, j + 1):
                gram[j, i] -= share * gram[i, k]
            product[j] -= share * product[k]
    for k in range(m - 1, -1, -1):
        if gram[k, k] == 0.0:
            found[k] = 0.0
            continue
        rest = product[k]
        for j in range(k + 1, m):
            rest -= gram[j, k] * found[j]
        found[k] = rest / gram[k, k]


@loop
def fitted(
    codes: Any,
    constants: Any,
    size: Any,
    most: Any,
    blocks: Any,
    target: Any,
    weights: Any,
    variance: Any,
    slots: Any,
    held: Any,
    free: Any,
    starts: Any,
    out: Any,
    sums: Any,
    found: Any,
) -> Any:
    """Fit the target by a sum of a formula's terms, each with a coefficient; return the mean squared error.

    `found` gets the coefficients, and after them the intercept.
    """
    n_rows, width = len(target), blocks.shape[2]
    m = split(codes, size, most, starts)
    gram, product, means, firsts = sums[:m], sums[most], sums[most + 1], sums[most + 2]
    for k in range(m):
        product[k] = means[k] = 0.0
        for j in range(k + 1):
            gram[k, j] = 0.0
    weighted = out[most]
    for b in range(blocks.shape[0]):
        begin = b * width
        n = min(width, n_rows - begin)
        for k in range(m):
            start = starts[k]
            term = out[k, begin : begin + n]
            length = term_end(codes, start) - start
            evaluate(codes[start:], constants[start:], length, blocks[b], n, slots, held, free, term)
            if b == 0:
                firsts[k] = term[0]
            first = firsts[k]  # sums of differences from the first row lose fewer digits
            for r in range(n):
                term[r] -= first
                weighted[r] = weights[begin + r] * term[r]
            means[k] += dot(weights[begin : begin + n], term, n)
            product[k] += dot(weighted, target[begin : begin + n], n)
            for j in range(k + 1):
                gram[k, j] += dot(weighted, out[j, begin : begin + n], n)
    for k in range(m):
        if not abs(means[k]) < math.inf or not gram[k, k] < math.inf:
            return math.inf
        for j in range(k + 1):
            gram[k, j] -= means[k] * means[j]
        if not gram[k, k] > 1e-28 * firsts[k] * firsts[k]:  # the same for all rows, up to rounding
            gram[k, k] = 0.0
        found[m + 1 + k] = product[k]
    solve(gram, product, m, found)
    shift, intercept, explained = 0.0, 0.0, 0.0
    for k in range(m):
        shift += found[k] * means[k]
        intercept -= found[k] * (means[k] + firsts[k])
        explained += found[k] * found[m + 1 + k]
    found[m] = intercept
    error = max(variance - explained, 0.0)
    if error < EXACT * variance:
        error = 0.0
        for r in range(n_rows):
            rest = target[r] + shift
            for k in range(m):
                rest -= found[k] * out[k, r]
            error += weights[r] * rest * rest
    return error


@loop
def sensitivities(
    codes: Any,
    constants: Any,
    ends: Any,
    coefficients: Any,
    places: Any,
    blocks: Any,
    n_rows: Any,
    slots: Any,
    held: Any,
    free: Any,
    design: Any,
) -> None:
    """Find what each term gives on every row, and how the sum changes with each constant."""
    m = len(ends)
    for k in range(m):
        start, size = ends[k, 0], ends[k, 1] - ends[k, 0]
        outputs(codes[start:], constants[start:], size, blocks, n_rows, slots, held, free, design[k])
    for p in range(len(places)):
        place = places[p]
        k = 0
        while not ends[k, 0] <= place < ends[k, 1]:
            k += 1
        before = constants[place]
        width = STEP * max(1.0, abs(before))
        constants[place] = before + width
        start, size = ends[k, 0], ends[k, 1] - ends[k, 0]
        moved = design[m + p]
        outputs(codes[start:], constants[start:], size, blocks, n_rows, slots, held, free, moved)
        constants[place] = before
        for r in range(n_rows):
            moved[r] = coefficients[k] * (moved[r] - design[k, r]) / width


@loop
def errors(
    begin: Any,
    end: Any,
    todo: Any,
    codes: Any,
    constants: Any,
    sizes: Any,
    most: Any,
    blocks: Any,
    target: Any,
    weights: Any,
    slots: Any,
    held: Any,
    free: Any,
    starts: Any,
    out: Any,
    sums: Any,
    coefficients: Any,
    found: Any,
) -> None:
    """Find the mean squared error of formulas: as they are, or with `most` coefficients fitted.

    Weights sum to 1; where something is fitted, the mean of the target is 0. An error that is no number is infinite.
    """
    n_rows = len(target)
    variance = 0.0
    for r in range(n_rows):
        variance += weights[r] * target[r] * target[r]
    for place in range(begin, end):
        i = todo[place]
        if most > 0:
            error = fitted(
                codes[i],
                constants[i],
                sizes[i],
                most,
                blocks,
                target,
                weights,
                variance,
                slots,
                held,
                free,
                starts,
                out,
                sums,
                coefficients,
            )
        else:
            outputs(codes[i], constants[i], sizes[i], blocks, n_rows, slots, held, free, out[0])
            error = 0.0
            for r in range(n_rows):
                error += weights[r] * (target[r] - out[0, r]) ** 2
        found[i] = error if error < math.inf else math.inf
