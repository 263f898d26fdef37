"""Compiled loops that evaluate formulas: a small interpreter over flat programs, one block of rows at a time.

A formula is read backwards, so that the arguments of a function are on top of the stack when it is met. The
stack holds indices of columns and slots. A slot is a block of rows that stays in the cache; columns are never
copied.
"""

from __future__ import annotations

import math
from typing import Any

from induce.core.loops import inner, loop

ADD, SUB, MUL, DIV, MAX, MIN, POW = 0, 1, 2, 3, 4, 5, 6
UNARY = 8
"""Number of codes that take two arguments; they come first."""
NEG, ABS, SQRT, LOG, INV, SIN, COS, TAN, SIG, EXP, SQUARE = 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
CONSTANT = 30
COLUMN = 32
"""Code of the first column."""

NEAR_ZERO = 0.001
"""Smallest absolute value of a divisor or of the argument of a logarithm."""
LARGEST_EXPONENT = 50.0
"""Largest argument of exponential functions."""
LARGEST_POWER = 700.0
"""Maximum logarithm of a power: cells are at most 1e50, so that their fifth power is within it."""
EXACT = 1e-6
"""Residual fraction of the variance below which the error is summed row by row."""
HUGE = 100.0
"""Ratio of summed term variances to target variance above which cancelling terms are penalised."""


@inner
def binary(code: Any, a: Any, b: Any, c: Any, n: Any) -> None:
    """Apply a binary function to two blocks of rows."""
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
            # Both branches are computed and one is chosen, which vectorises; the divisor is made harmless first.
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


@inner
def power(x: Any, y: Any) -> Any:
    """Return |x| to the power of y, with the sign of x if y is odd; 1 if undefined."""
    base = abs(x)
    if base <= NEAR_ZERO and y <= 0.0:
        return 1.0
    if base == 0.0:
        return 0.0
    size = y * math.log(base)
    if size <= -LARGEST_POWER:
        return 0.0
    if not size < LARGEST_POWER:
        return 1.0
    found = base**y
    return -found if x < 0.0 and y % 2.0 == 1.0 else found


@inner
def unary(code: Any, a: Any, c: Any, n: Any) -> None:
    """Apply a unary function to a block of rows."""
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


@inner
def transcendental(code: Any, x: Any) -> Any:
    """Evaluate a function that costs more than the dispatch on its code."""
    if code == LOG:
        return math.log(abs(x)) if abs(x) > NEAR_ZERO else 0.0
    if code == INV:
        return 1.0 / x if abs(x) > NEAR_ZERO else 0.0
    if code == EXP:
        return math.exp(max(min(x, LARGEST_EXPONENT), -LARGEST_EXPONENT))
    if code == SIG:  # bounded like EXP, so that SQL and Python exports compute the same formula
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
    codes: Any,
    constants: Any,
    start: Any,
    end: Any,
    columns: Any,
    n: Any,
    slots: Any,
    held: Any,
    free: Any,
    out: Any,
) -> None:
    """Evaluate the subtree between two positions on the n rows of a block."""
    # `held` is the stack: an index below n_columns is a column, any other a slot. `free` is the stack of
    # unused slots: an argument's slot is released as soon as its function is evaluated.
    n_columns = columns.shape[0]
    n_free = slots.shape[0]
    for s in range(n_free):
        free[s] = s
    top = 0
    for i in range(end - 1, start - 1, -1):
        code = codes[i]
        if code >= COLUMN:
            held[top] = code - COLUMN
            top += 1
            continue
        n_free -= 1
        slot = free[n_free]
        # The root, which comes last, writes to the output.
        c = slots[slot] if i > start else out
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
    # The formula is a single column.
    if held[0] < n_columns:
        a = columns[held[0]]
        for r in range(n):
            out[r] = a[r]


@inner
def split(codes: Any, most: Any, places: Any) -> Any:
    """Find the start and end of the terms of a sum, at most `most`; return their number.

    The signs of the terms are ignored.
    """
    # `open_` is the number of subtrees still to be read at this level of the sum. A plus or minus is expanded
    # while the number of terms, read and unread, stays within `most`; anything else is a term, and `wanted`
    # counts the arguments it still needs.
    n, open_, i = 0, 1, 0
    while open_ > 0:
        if codes[i] <= SUB and n + open_ < most:
            open_ += 1
            i += 1
            continue
        places[0, n] = i
        wanted = 1
        while wanted > 0:
            code = codes[i]
            if code < UNARY:
                wanted += 1
            elif code >= CONSTANT:
                wanted -= 1
            i += 1
        places[1, n] = i
        n += 1
        open_ -= 1
    return n


@inner
def dot(a: Any, b: Any, n: Any) -> Any:
    """Return the dot product of two vectors, in four independent partial sums."""
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


@inner
def solve(gram: Any, product: Any, m: Any, found: Any) -> None:
    """Solve the normal equations of m terms in place; terms explained by earlier ones get no coefficient."""
    # Save the diagonal before elimination: a term whose pivot almost vanishes is a linear combination of
    # earlier terms.
    for k in range(m):
        found[k] = gram[k, k]  # saved to see how much of it remains
    for k in range(m):
        if not gram[k, k] > 1e-10 * found[k] or not found[k] > 1e-280:
            gram[k, k] = 0.0
            continue
        for j in range(k + 1, m):
            # Gaussian elimination on the lower half; the upper one is its mirror image.
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
def errors(
    begin: Any,
    end: Any,
    todo: Any,
    codes: Any,
    constants: Any,
    most: Any,
    blocks: Any,
    n_rows: Any,
    target: Any,
    weights: Any,
    slots: Any,
    held: Any,
    free: Any,
    places: Any,
    out: Any,
    sums: Any,
    found: Any,
    losses: Any,
) -> None:
    """Compute the mean squared error of formulas, unchanged or with coefficients fitted to up to `most` terms.

    Rows are stored in blocks. Weights sum to 1; if coefficients are fitted, the target has mean 0. An undefined error
    is infinite. Terms that cancel each other are penalised: they fit rounding errors and do not generalise. `found`
    receives the coefficients and the intercept of the last formula, and the product with the target and the variance
    of each term.
    """
    n_blocks, width = target.shape
    n_terms = sums.shape[1]
    # `sums[k, j]` are weighted products of terms minus their first row, `product` the products with the
    # target, `means` the weighted means.
    product, means, firsts = sums[n_terms], sums[n_terms + 1], sums[n_terms + 2]
    weighted = out[n_terms]
    variance = 0.0
    for b in range(n_blocks):
        for r in range(min(width, n_rows - b * width)):
            variance += weights[b, r] * target[b, r] * target[b, r]
    for place in range(begin, end):
        i = todo[place]
        m = split(codes[i], max(most, 1), places)
        for k in range(m):
            product[k] = means[k] = firsts[k] = found[k] = 0.0
            for j in range(k + 1):
                sums[k, j] = 0.0
        if most == 0:
            found[0] = 1.0
        row_by_row = most == 0
        shift = error = 0.0
        # First pass: sums of products, which determine the coefficients and the error. If the remaining error
        # is so small that the difference loses its digits, a second pass sums it row by row.
        while True:
            for b in range(n_blocks):
                n = min(width, n_rows - b * width)
                for k in range(m):
                    term = out[k]
                    evaluate(
                        codes[i],
                        constants[i],
                        places[0, k],
                        places[1, k],
                        blocks[b],
                        n,
                        slots,
                        held,
                        free,
                        term,
                    )
                    if b == 0 and not row_by_row:
                        firsts[k] = term[0]
                    first = firsts[k]  # sums of differences from the first row lose fewer digits
                    for r in range(n):
                        term[r] -= first
                    if row_by_row:
                        for r in range(n):
                            rest = weighted[r] if k > 0 else target[b, r] + shift
                            weighted[r] = rest - found[k] * term[r]
                        continue
                    for r in range(n):
                        weighted[r] = weights[b, r] * term[r]
                    means[k] += dot(weights[b], term, n)
                    product[k] += dot(weighted, target[b], n)
                    for j in range(k + 1):
                        sums[k, j] += dot(weighted, out[j], n)
                if row_by_row:
                    for r in range(n):
                        out[0, r] = weights[b, r] * weighted[r]
                    error += dot(out[0], weighted, n)
            if row_by_row:
                break
            for k in range(m):
                if not abs(means[k]) < math.inf or not sums[k, k] < math.inf:
                    error = math.inf
                for j in range(k + 1):
                    # The weights sum to 1, so this leaves covariances: the intercept is fitted implicitly.
                    sums[k, j] -= means[k] * means[j]
                if not sums[k, k] > 1e-28 * firsts[k] * firsts[k]:  # the same for all rows, up to rounding
                    sums[k, k] = 0.0
                found[m + 1 + k] = product[k]
                found[2 * m + 1 + k] = sums[k, k]
            if error == math.inf:
                break
            solve(sums, product, m, found)
            found[m] = 0.0
            # The variance less what each term explains (Keijzer 2003, with several terms instead of one).
            error = variance
            for k in range(m):
                shift += found[k] * means[k]
                found[m] -= found[k] * (means[k] + firsts[k])
                error -= found[k] * found[m + 1 + k]
            if not error < EXACT * variance:
                break
            row_by_row = True
            error = 0.0
        if most > 0 and error < math.inf:
            moved = 0.0
            for k in range(m):
                moved += found[k] * found[k] * found[2 * m + 1 + k]
            error *= max(1.0, moved / (HUGE * max(variance, 1e-280)))
        losses[i] = error if error < math.inf else math.inf
