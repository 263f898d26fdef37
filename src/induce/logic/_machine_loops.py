"""Compiled loops of the prover: backward chaining on integer arrays.

A term is a *cell*: a tag in the three lowest bits and a value above it. `REF` holds the heap address of a
variable (its own address while unbound), `ATOM` a symbol, and `INT` a small integer. `OTHER` is a big integer
or a text kept in Python. `STR` holds the address of a `FUN` cell (symbol and arity), after which the
arguments follow. `FLT` holds the address of the `FUN` cell `BOX`, after which the bits of a float follow. A
*block* in `code` is a relocatable piece of heap: there `VAR` is a numbered variable and `REF` an offset (with
the length of the subterm in its upper bits). Clauses, stored answers and collected solutions are blocks.

The machine runs step by step until `FUEL` runs out; the registers of `s` hold the next step. Steps are
atomic: a step that lacks space reports which array is too short and is repeated from its start.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import inner, loop

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]

ALLOCATES = False
"""No loop here makes an array: without reference counts they run eight times as fast."""

REF, ATOM, INT, FLT, STR, OTHER, VAR, FUN = range(8)
OFFSET_BITS = 30
OFFSET = (1 << OFFSET_BITS) - 1
LARGEST = 1 << 60
"""Integers of at least this magnitude are kept in Python."""

# symbols known to the loops, in order of creation
SYMBOLS = (
    *(
        ("$float", 1),
        (".", 2),
        ("[]", 0),
        ("=", 2),
        ("true", 0),
        ("fail", 0),
        (",", 2),
        ("\\+", 1),
        ("->", 2),
    ),
    *(("*->", 2), ("<", 0), ("=", 0), (">", 0)),
)
S_BOX, S_CONS, S_NIL, S_EQUALS, S_TRUE, S_FAIL, S_AND, S_NOT, S_THEN, S_SOFT, S_LESS, S_SAME, S_MORE = range(
    13
)
BOX = (S_BOX << 8 | 1) << 3 | FUN
CONS = (S_CONS << 8 | 2) << 3 | FUN
EQUALS = (S_EQUALS << 8 | 2) << 3 | FUN
AND = (S_AND << 8 | 2) << 3 | FUN
NOT = (S_NOT << 8 | 1) << 3 | FUN
THEN = (S_THEN << 8 | 2) << 3 | FUN
SOFT = (S_SOFT << 8 | 2) << 3 | FUN
NIL = S_NIL << 3 | ATOM
TRUE = S_TRUE << 3 | ATOM

# Registers H, TR, FR, LG and CODE are the ends of the used parts of heap, trail, frames, log and code. CP is
# the number of choice points, HB the end of the heap at the newest of them. GOAL is proved next, then the
# frame NEXT; a cut in GOAL leaves CUT choice points. PARENT is the log entry of the clause that contains
# GOAL.
H, TR, CP, FR, LG, CODE, GOAL, NEXT, CUT, PARENT, DEPTH, STAGE, CHOSEN, BARRIER, HB = range(15)
FUEL, INFERENCES, DEPTH_LIMIT, INFERENCE_LIMIT, DEPTH_REACHED, OCCURS, MARGIN, NEED = range(15, 23)
VALUE, N_VARS, WHICH, STACK, ZERO = range(23, 28)
BATCH, ITEM, ITEMS, BASE, STARTED, FOUND, SOLUTION_LIMIT, OUT, FIRST_OUT = range(28, 37)
EVALUATING, INCOMPLETE, PENDING, CONSUMED, SEQUENCE, ENTRIES, REPLAY, FORCED, AGAIN, PATIENCE = range(37, 47)
KEYS = 48
N_KEYS = 8
N_REGISTERS = KEYS + N_KEYS

# results of a step
GO, SOLUTION, FAILED, GROW, PYTHON, INDEX, LIMIT, DONE, SUCCESSOR, RANKS, SLICE = range(11)
UNBOUND_GOAL, NO_GOAL, UNKNOWN, TOO_LARGE = range(20, 24)
# arrays that may be too short
HEAP, TRAIL, CHOICES, FRAMES, LOG, BLOCKS, WORK, VARIABLES, HASH = range(9)
# stages
CALL, SELECT, TRY, BACK, POP, ANSWER_ = range(6)
# kinds of choice point
CLAUSES, OTHERWISE, NEGATION, COLLECTION, EVALUATION, ANSWERS, NOTHING = range(7)
C_KIND, C_GOAL, C_NEXT, C_CUT, C_PARENT, C_DEPTH, C_TR, C_H, C_FR, C_LG, C_POS, C_END, C_CODE, C_ENTRIES = (
    range(14)
)
C_SIZE = 14
F_SIZE = 5
L_SIZE = 3
# commands to the machine, stored in a frame in place of a goal
DO_CUT, DO_SOFT, DO_CUT_AND_FAIL, DO_COLLECT, DO_ANSWER, DO_SOLUTION = range(6)
# source of a goal in the log; values from FROM_TABLE down encode the stored answer
BUILT_IN, NEGATED, FROM_TABLE = -1, -2, -3
SILENT = -2
# columns of `symbols`
Y_KIND, Y_FIRST, Y_COUNT, Y_INDEX, Y_LIBRARY, Y_RANK, Y_ARITHMETIC, Y_NEXT = range(8)
Y_SIZE = 8
FEW = 8
"""Maximum number of clauses of a predicate that are searched without an index."""
BUILT = 1 << 20
# columns of `clauses`
P_HEAD, P_VARS, P_BODY, P_SOURCE = range(4)
P_SIZE = 4
# fields of a table entry, which is a call or an answer; the record of a call follows its cells
E_OWNER, E_LENGTH, E_VARS, E_LINK, E_SEQUENCE = range(5)
E_SIZE = 5
# R_FIRST and R_LAST are the ends of the list of answers. R_PLACE is the index of a call on the stack of
# incomplete calls, and R_LOW the lowest index it depends on, as in Tarjan's algorithm; R_BELOW is the call
# below it on the stack.
R_STATUS, R_FIRST, R_LAST, R_PLACE, R_LOW, R_BELOW, R_CALLER, R_ROUND, R_PENDING, R_CONSUMED = range(10)
R_SIZE = 10
FRESH, RUNNING, RAN, COMPLETE = range(4)

# types of predicate
K_UNKNOWN, K_USER, K_TABLED, K_PYTHON = range(4)
K_TRUE, K_CUT = 10, 11
K_AND, K_OR, K_THEN, K_SOFT, K_NOT, K_FORALL, K_CALL, K_FINDALL, K_ONCE, K_FAIL = range(12, 22)
K_UNIFY, K_DIFFER, K_COMPARE, K_IS = range(32, 36)
# comparisons in standard order and of numbers, plus the accepted outcomes: 1 less, 2 equal, 4 greater
K_ORDER, K_NUMBERS = 40, 48
# type tests of terms, plus 1 << tag for each accepted type
K_KIND = 256
# arithmetic functions that the loops evaluate
A_PLUS, A_MINUS, A_TIMES, A_DIVIDE, A_WHOLE, A_MOD, A_REM, A_MIN, A_MAX = range(1, 10)
A_ABS, A_SIGN, A_NEGATE, A_SAME = range(10, 14)


@inner
def dereferenced(heap: I64, cell: int) -> int:
    """Dereference a cell: follow a chain of variables to its end."""
    while cell & 7 == REF:
        other = heap[cell >> 3]
        if other == cell:
            break
        cell = other
    return cell


@inner
def occurs(s: I64, heap: I64, work: I64, address: int, cell: int, base: int) -> int:
    """Return whether a variable occurs in a term; -1 if `work` is too short."""
    top = base
    while True:
        s[FUEL] = s[FUEL] - 1
        cell = dereferenced(heap, cell)
        if cell == address << 3:
            return 1
        if cell & 7 == STR:
            at = cell >> 3
            n = (heap[at] >> 3) & 255
            if top + n >= len(work):
                return -1
            for i in range(n):
                # The last argument is pushed first, so that terms are searched from left to right.
                work[top + i] = heap[at + n - i]
            top = top + n
        if top == base:
            return 0
        top = top - 1
        cell = work[top]


@inner
def bind(s: I64, heap: I64, trail: I64, address: int, cell: int) -> None:
    """Bind a variable; the trail must have space."""
    heap[address] = cell
    # Conditional trailing (Warren): a variable younger than the newest choice point disappears with the heap
    # above it on backtracking, so its binding need not be trailed.
    if address < s[HB]:
        trail[s[TR]] = address
        s[TR] = s[TR] + 1


@inner
def unify(s: I64, heap: I64, trail: I64, work: I64, a: int, b: int) -> int:
    """Unify two terms: 1 on success, 0 on failure, -1 if an array is too short, -2 at the step limit.

    Only the part of `work` above the register `STACK` is used.
    """
    base = s[STACK]
    top = base
    steps = 0
    while True:
        steps = steps + 1
        a = dereferenced(heap, a)
        b = dereferenced(heap, b)
        if a != b:
            # The younger of two variables is bound to the older one: an upward reference would dangle once
            # the heap is cut back to a choice point between them.
            if b & 7 == REF and (a & 7 != REF or b > a):
                a, b = b, a
            if a & 7 == REF:
                if s[TR] >= len(trail):
                    s[WHICH] = TRAIL
                    return -1
                if s[OCCURS] and b & 7 == STR:
                    found = occurs(s, heap, work, a >> 3, b, top)
                    if found != 0:
                        s[WHICH] = WORK
                        return 0 if found > 0 else -1
                bind(s, heap, trail, a >> 3, b)
            elif a & 7 != b & 7 or (a & 7 != STR and a & 7 != FLT) or heap[a >> 3] != heap[b >> 3]:
                s[FUEL] = s[FUEL] - steps
                return 0
            elif a & 7 == FLT:
                if heap[(a >> 3) + 1] != heap[(b >> 3) + 1]:
                    s[FUEL] = s[FUEL] - steps
                    return 0
            else:
                if top + 3 > len(work):
                    s[WHICH] = WORK
                    return -1
                # Without the occurs check terms can be cyclic, and unification of cyclic terms does not
                # terminate.
                if steps > s[PATIENCE]:
                    return -2
                # A record is a pair of argument lists: the next argument on either side, and the number left.
                work[top] = (a >> 3) + 1
                work[top + 1] = (b >> 3) + 1
                work[top + 2] = (heap[a >> 3] >> 3) & 255
                top = top + 3
        if top == base:
            s[FUEL] = s[FUEL] - steps
            return 1
        left = work[top - 3]
        right = work[top - 2]
        n = work[top - 1]
        a = heap[left]
        b = heap[right]
        # The record is popped before its last pair is visited, so that long lists need no stack.
        if n == 1:
            top = top - 3
        else:
            work[top - 3] = left + 1
            work[top - 2] = right + 1
            work[top - 1] = n - 1


@inner
def undo(s: I64, heap: I64, trail: I64, mark: int) -> None:
    """Undo all bindings made since the trail had a given length."""
    # An unbound variable is a reference to itself.
    for i in range(mark, s[TR]):
        heap[trail[i]] = trail[i] << 3
    s[TR] = mark


@inner
def build(s: I64, heap: I64, code: I64, variables: I64, base: int, first: int, length: int) -> int:
    """Copy a part of a block to the heap; return its start."""
    h: int = s[H]
    # Offsets in the block become addresses by adding `shift`. `variables` holds the cell of each variable of
    # the clause, 0 before its first occurrence, which becomes the variable itself.
    shift = h - first
    start = base + first
    i = 0
    while i < length:
        cell = code[start + i]
        tag = cell & 7
        if tag == VAR:
            value = variables[cell >> 3]
            if value == 0:
                value = (h + i) << 3
                variables[cell >> 3] = value
            heap[h + i] = value
        elif tag == REF:
            offset = (cell >> 3) & OFFSET
            kind = FLT if code[base + offset] == BOX else STR
            heap[h + i] = (offset + shift) << 3 | kind
        else:
            heap[h + i] = cell
            # The bits of a float can look like any cell, so they are copied without interpretation.
            if cell == BOX:
                i = i + 1
                heap[h + i] = code[start + i]
        i = i + 1
    s[H] = h + length
    return h


@inner
def unify_head(
    s: I64, heap: I64, trail: I64, code: I64, work: I64, variables: I64, head: int, arity: int, at: int
) -> int:
    """Unify the head of a clause with the arguments of a goal; return values are those of `unify`."""
    # Warren's get and unify instructions, interpreted. `place` runs through the block of the head and
    # `address` through the goal's arguments, of which `n` are left on this level; `work` holds the enclosing
    # levels.
    top = 0
    place = head
    address = at
    n = arity
    while True:
        if n == 0:
            if top == 0:
                return 1
            top = top - 3
            place = work[top]
            address = work[top + 1]
            n = work[top + 2]
            continue
        cell = code[place]
        given = heap[address]
        place = place + 1
        address = address + 1
        n = n - 1
        tag = cell & 7
        if tag == VAR:
            number = cell >> 3
            cell = variables[number]
            if cell == 0:
                # The first occurrence takes its argument as it is: nothing is bound or trailed.
                variables[number] = given
                continue
        else:
            given = dereferenced(heap, given)
            if given == cell:
                continue
            if tag == REF:
                inner = head + ((cell >> 3) & OFFSET)
                if given & 7 == STR and heap[given >> 3] == code[inner]:
                    if top + 3 > len(work):
                        s[WHICH] = WORK
                        return -1
                    # The last argument needs no return address, so a list of any length stays on one level.
                    if n > 0:
                        work[top] = place
                        work[top + 1] = address
                        work[top + 2] = n
                        top = top + 3
                    place = inner + 1
                    address = (given >> 3) + 1
                    n = (code[inner] >> 3) & 255
                    continue
                if given & 7 != REF:
                    return 0
                # The goal has a variable where the head has a structure, so the structure is built now
                # (Warren's write mode).
                cell = (
                    build(s, heap, code, variables, head, (cell >> 3) & OFFSET, cell >> (3 + OFFSET_BITS))
                    << 3
                    | STR
                )
            if given & 7 == REF and s[OCCURS] == 0 and s[TR] < len(trail):
                bind(s, heap, trail, given >> 3, cell)
                continue
        # `unify` works above the levels still in use here.
        s[STACK] = top
        done = unify(s, heap, trail, work, cell, given)
        s[STACK] = 0
        if done <= 0:
            return done


@inner
def export(s: I64, heap: I64, code: I64, work: I64, at: int, n: int, to: int) -> int:
    """Write terms as a block with a canonical layout; return its length, or -1 if an array is too short.

    Terms that are equal up to variable names yield equal blocks.
    """
    # Cheney's copying algorithm: `place` scans the cells whose contents are still on the heap, and `end` is
    # where the next structure goes. The breadth-first layout depends on the terms only.
    end = to + n
    count = 0
    fits = end <= len(code)
    if fits:
        for i in range(n):
            code[to + i] = heap[at + i]
    place = to
    while fits and place < end:
        cell = dereferenced(heap, code[place])
        tag = cell & 7
        if tag == REF:
            if count >= len(work):
                s[WHICH] = WORK
                fits = False
                break
            # The variable itself is overwritten with its number until the end, so that its other occurrences
            # find the number.
            work[count] = cell >> 3
            cell = count << 3 | VAR
            heap[work[count]] = cell
            count = count + 1
        elif FLT <= tag <= STR:
            source = cell >> 3
            length = 2 if tag == FLT else 1 + ((heap[source] >> 3) & 255)
            if end + length > len(code) or end - to > OFFSET - 300:
                fits = False
                s[WHICH] = BLOCKS
                break
            for i in range(length):
                code[end + i] = heap[source + i]
            cell = (end - to) << 3
            end = end + length
        elif cell == BOX:
            place = place + 1
            code[place - 1] = cell
            place = place + 1
            continue
        code[place] = cell
        place = place + 1
    if not fits and end > len(code):
        s[WHICH] = BLOCKS
    for i in range(count):
        heap[work[i]] = work[i] << 3
    s[N_VARS] = count
    s[FUEL] = s[FUEL] - (end - to)
    return end - to if fits else -1


@inner
def mixed(value: int) -> int:
    """Mix one number into a hash; no product exceeds 64 bits."""
    value = (value ^ value >> 31) & 0x7FFFFFFF
    value = value * 0x5851F42D
    return value ^ value >> 15


@inner
def hash_of(code: I64, entry: int) -> int:
    """Hash the contents of a table entry."""
    value = mixed(code[entry])
    for i in range(code[entry + E_LENGTH]):
        value = mixed(value ^ code[entry + E_SIZE + i])
    return value


@inner
def interned(code: I64, hashed: I64, entry: int) -> int:
    """Return the equal entry if there is one, otherwise store this one."""
    # Linear probing; callers keep at least half of the slots free, so the probe sequence ends.
    mask = len(hashed) - 1
    slot = hash_of(code, entry) & mask
    while hashed[slot] != 0:
        other: int = hashed[slot]
        if code[other] == code[entry] and code[other + E_LENGTH] == code[entry + E_LENGTH]:
            i = 0
            while i < code[entry + E_LENGTH] and code[other + E_SIZE + i] == code[entry + E_SIZE + i]:
                i = i + 1
            if i == code[entry + E_LENGTH]:
                return other
        slot = (slot + 1) & mask
    hashed[slot] = entry
    return entry


@loop
def rehash(code: I64, before: I64, after: I64) -> None:
    """Move the entries to a larger hash table."""
    for i in range(len(before)):
        if before[i] != 0:
            interned(code, after, before[i])


@inner
def slot_of(index: I64, owner: int, key: int) -> int:
    """Return the index slot for a key of a predicate's argument."""
    # A slot has four numbers: owner, key, first row and end; an end of 0 marks a free slot.
    mask = len(index) - 1
    slot = mixed(mixed(owner) ^ key) << 2 & mask
    while index[slot + 3] != 0 and (index[slot] != owner or index[slot + 1] != key):
        slot = (slot + 4) & mask
    return slot


@loop
def fill_index(index: I64, entries: I64) -> None:
    """Insert entries (owner, key, first row, end) into an index that is large enough."""
    for i in range(len(entries) // 4):
        if entries[i * 4 + 3] != 0:
            slot = slot_of(index, entries[i * 4], entries[i * 4 + 1])
            for j in range(4):
                index[slot + j] = entries[i * 4 + j]


@inner
def find_keys(s: I64, heap: I64, at: int, arity: int) -> None:
    """Write the keys of a goal's first arguments; 0 for a variable."""
    for i in range(min(arity, N_KEYS)):
        cell = dereferenced(heap, heap[at + i])
        if cell & 7 == REF:
            cell = 0
        # The key of a structure is its symbol and arity, as in the index.
        elif FLT <= cell & 7 <= STR:
            cell = heap[cell >> 3]
        s[KEYS + i] = cell


@inner
def next_match(
    s: I64, heap: I64, code: I64, clauses: I64, rows: I64, place: int, end: int, arity: int
) -> int:
    """Return the position of the next clause whose head may unify with the goal's keys, or `end`."""
    n = min(arity, N_KEYS)
    start = place
    while place < end:
        head = clauses[rows[place] * P_SIZE + P_HEAD]
        i = 0
        while i < n:
            if s[KEYS + i] != 0:
                cell = code[head + i]
                tag = cell & 7
                if tag == REF:
                    cell = code[head + ((cell >> 3) & OFFSET)]
                elif FLT <= tag <= STR:
                    cell = heap[cell >> 3]
                # Both are bound and differ, so unification would fail.
                if cell != s[KEYS + i] and tag != VAR:
                    break
            i = i + 1
        if i == n:
            break
        place = place + 1
    s[FUEL] = s[FUEL] - (place - start)
    return place


@inner
def compare(s: I64, heap: I64, floats: F64, work: I64, symbols: I64, a: int, b: int) -> int:
    """Compare two terms in the standard order; write -1, 0 or 1 to `VALUE`."""
    top = 0
    steps = 0
    while True:
        steps = steps + 1
        a = dereferenced(heap, a)
        b = dereferenced(heap, b)
        if a != b:
            x = a & 7
            y = b & 7
            if x == OTHER or y == OTHER:
                return PYTHON
            left = 0
            right = 0
            # Variables come first, by age.
            if x == REF or y == REF:
                left = a if x == REF else LARGEST
                right = b if y == REF else LARGEST
            elif INT <= x <= FLT and INT <= y <= FLT:
                first = floats[(a >> 3) + 1] if x == FLT else float(a >> 3)
                second = floats[(b >> 3) + 1] if y == FLT else float(b >> 3)
                if x == INT and y == INT:
                    left = a
                    right = b
                elif first < second:
                    right = 1
                elif first > second:
                    left = 1
                # A float precedes the integer that it equals.
                elif x != y:
                    left = y
                    right = x
            elif x == ATOM and y == ATOM:
                left = symbols[(a >> 3) * Y_SIZE + Y_RANK]
                right = symbols[(b >> 3) * Y_SIZE + Y_RANK]
                if left < 0 or right < 0:
                    return RANKS
            elif x == STR and y == STR:
                f = heap[a >> 3]
                g = heap[b >> 3]
                left = symbols[(f >> 11) * Y_SIZE + Y_RANK]
                right = symbols[(g >> 11) * Y_SIZE + Y_RANK]
                if left < 0 or right < 0:
                    return RANKS
                if f == g:
                    if top + 3 > len(work):
                        s[WHICH] = WORK
                        return GROW
                    if steps > s[PATIENCE]:
                        return TOO_LARGE
                    work[top] = (a >> 3) + 1
                    work[top + 1] = (b >> 3) + 1
                    work[top + 2] = (f >> 3) & 255
                    top = top + 3
            else:
                # Numbers precede atoms, and atoms precede structures.
                left = 0 if INT <= x <= FLT else (1 if x == ATOM else 2)
                right = 0 if INT <= y <= FLT else (1 if y == ATOM else 2)
            if left != right:
                s[VALUE] = -1 if left < right else 1
                return GO
        if top == 0:
            s[VALUE] = 0
            s[FUEL] = s[FUEL] - steps
            return GO
        p = work[top - 3]
        q = work[top - 2]
        n = work[top - 1]
        a = heap[p]
        b = heap[q]
        if n == 1:
            top = top - 3
        else:
            work[top - 3] = p + 1
            work[top - 2] = q + 1
            work[top - 1] = n - 1


@inner
def apply(operation: int, n: int, x: int, y: int) -> int:
    """Evaluate an integer function; return LARGEST if it must be computed in Python."""
    value = LARGEST
    if operation == A_PLUS:
        value = x + y
    elif operation == A_MINUS:
        value = x - y
    elif operation == A_TIMES:
        # Below 2^60, with a margin for rounding, so that the product cannot overflow.
        if abs(float(x) * float(y)) < 1.1e18:
            value = x * y
    elif operation == A_MIN:
        value = min(x, y)
    elif operation == A_MAX:
        value = max(x, y)
    elif operation == A_ABS:
        value = abs(x)
    elif operation == A_SIGN:
        value = 0 if x == 0 else (1 if x > 0 else -1)
    elif operation == A_NEGATE:
        value = -x
    elif operation == A_SAME:
        value = x
    elif y != 0:
        # Division truncates towards zero, as Prolog's // and rem do; mod takes the sign of the divisor.
        quotient = abs(x) // abs(y)
        if (x < 0) != (y < 0):
            quotient = -quotient
        rest = x - quotient * y
        if operation == A_WHOLE:
            value = quotient
        elif operation == A_DIVIDE:
            if rest == 0:
                value = quotient
        elif operation == A_REM:
            value = rest
        elif operation == A_MOD:
            value = rest + y if rest != 0 and (rest < 0) != (y < 0) else rest
    return value


@inner
def apply_float(operation: int, x: float, y: float) -> float:
    """Evaluate a numeric function; return NaN if it must be computed in Python."""
    value = np.nan
    if operation == A_PLUS:
        value = x + y
    elif operation == A_MINUS:
        value = x - y
    elif operation == A_TIMES:
        value = x * y
    elif operation == A_DIVIDE:
        if y != 0.0:
            value = x / y
    elif operation == A_ABS:
        value = abs(x)
    elif operation == A_NEGATE:
        value = -x
    elif operation == A_SAME:
        value = x
    return value


@inner
def evaluate(s: I64, heap: I64, floats: F64, work: I64, symbols: I64, cell: int) -> int:
    """Evaluate an arithmetic term: write its value as a cell to `VALUE`, a float on the heap."""
    # Two stacks share `work`: terms to evaluate grow from the bottom, values from the end downwards. A
    # functor on the first stack means that its arguments are now the topmost values, the last argument on
    # top.
    top = 1
    values = len(work)
    work[0] = cell
    while top > 0:
        top = top - 1
        cell = work[top]
        if cell & 7 != FUN:
            cell = dereferenced(heap, cell)
            if cell & 7 == STR:
                functor = heap[cell >> 3]
                n = (functor >> 3) & 255
                operation = symbols[(functor >> 11) * Y_SIZE + Y_ARITHMETIC]
                if operation == 0:
                    return PYTHON
                if top + n + 2 >= values:
                    s[WHICH] = WORK
                    return GROW
                work[top] = functor
                top = top + 1
                for i in range(n):
                    work[top + i] = heap[(cell >> 3) + n - i]
                top = top + n
            elif INT <= cell & 7 <= FLT:
                if top + 2 >= values:
                    s[WHICH] = WORK
                    return GROW
                values = values - 1
                work[values] = cell
            else:
                return PYTHON
        else:
            s[FUEL] = s[FUEL] - 1
            n = (cell >> 3) & 255
            operation = symbols[(cell >> 11) * Y_SIZE + Y_ARITHMETIC]
            y = work[values] if n == 2 else 0
            x = work[values + n - 1]
            values = values + n
            if x & 7 == INT and (n == 1 or y & 7 == INT):
                value = apply(operation, n, x >> 3, y >> 3)
                if operation == A_DIVIDE and value == LARGEST and y >> 3 != 0:
                    first = float(x >> 3)
                    second = float(y >> 3)
                    # Beyond 2^53 not all integers are exact floats.
                    if abs(first) > 9e15 or abs(second) > 9e15:
                        return PYTHON
                    result = first / second
                elif value >= LARGEST or value <= -LARGEST:
                    return PYTHON
                else:
                    values = values - 1
                    work[values] = value << 3 | INT
                    continue
            else:
                first = floats[(x >> 3) + 1] if x & 7 == FLT else float(x >> 3)
                second = floats[(y >> 3) + 1] if y & 7 == FLT else float(y >> 3)
                result = apply_float(operation, first, second)
            if not math.isfinite(result):
                return PYTHON
            if s[H] + 2 > len(heap):
                s[WHICH] = HEAP
                return GROW
            h = s[H]
            heap[h] = BOX
            floats[h + 1] = result
            s[H] = h + 2
            values = values - 1
            work[values] = h << 3 | FLT
    s[VALUE] = work[len(work) - 1]
    return GO


@inner
def push_frame(s: I64, frames: I64, goal: int) -> None:
    """Push a goal before the continuation, to be run later."""
    # Frames form a list through `NEXT`: the rest of the proof after the goal, shared by all alternatives.
    at = s[FR]
    frames[at] = goal
    frames[at + 1] = s[NEXT]
    frames[at + 2] = s[CUT]
    frames[at + 3] = s[PARENT]
    frames[at + 4] = s[DEPTH]
    s[FR] = at + F_SIZE
    s[NEXT] = at


@inner
def push_choice(s: I64, choices: I64, goal: int) -> int:
    """Push a choice point, to be used when the next step fails; return the position of its alternative."""
    at: int = s[CP] * C_SIZE
    choices[at + C_GOAL] = goal
    choices[at + C_NEXT] = s[NEXT]
    choices[at + C_CUT] = s[CUT]
    choices[at + C_PARENT] = s[PARENT]
    choices[at + C_DEPTH] = s[DEPTH]
    choices[at + C_TR] = s[TR]
    choices[at + C_H] = s[H]
    choices[at + C_FR] = s[FR]
    choices[at + C_LG] = s[LG]
    choices[at + C_POS] = 0
    choices[at + C_END] = 0
    choices[at + C_CODE] = s[CODE]
    choices[at + C_ENTRIES] = s[ENTRIES]
    s[CP] = s[CP] + 1
    s[HB] = s[H]
    return at


@inner
def cut_to(s: I64, choices: I64, level: int) -> None:
    """Drop all choice points above the first `level`."""
    s[CP] = level
    s[HB] = choices[(level - 1) * C_SIZE + C_H] if level > 0 else s[BASE]


@inner
def noted(s: I64, log: I64, goal: int) -> int:
    """Log that a goal was proved, by default by a built-in predicate; return the entry number.

    The entry is SILENT if no log is kept.
    """
    if s[PARENT] == SILENT:
        return SILENT
    at: int = s[LG]
    log[at] = goal
    log[at + 1] = BUILT_IN
    log[at + 2] = s[PARENT]
    s[LG] = at + L_SIZE
    return at // L_SIZE


@inner
def select(
    s: I64, heap: I64, code: I64, choices: I64, symbols: I64, clauses: I64, rows: I64, index: I64
) -> None:
    """Choose the first or next clause for the goal, and push a choice point for the remaining ones."""
    goal = s[GOAL]
    at, f, arity = (goal >> 3) + 1, goal >> 3, 0
    if goal & 7 == STR:
        f = heap[at - 1] >> 11
        arity = (heap[at - 1] >> 3) & 255
    find_keys(s, heap, at, arity)
    s[BARRIER] = s[CP]
    choice = (s[CP] - 1) * C_SIZE
    # On backtracking, a cut in this clause must also remove this choice point.
    if s[AGAIN] == 1:
        s[BARRIER] = s[CP] - 1
        place = choices[choice + C_POS]
        end = choices[choice + C_END]
    else:
        place = symbols[f * Y_SIZE + Y_FIRST]
        end = place + symbols[f * Y_SIZE + Y_COUNT]
        if end - place > FEW:
            built = symbols[f * Y_SIZE + Y_INDEX]
            # Of the bound and indexed arguments, use the one that leaves the fewest clauses. A key without
            # clauses leaves those with a variable at that position, which are indexed under 0.
            for i in range(arity):
                if (built >> i) & 1 == 1 and s[KEYS + i] != 0:
                    slot = slot_of(index, f * N_KEYS + i, s[KEYS + i])
                    if index[slot + 3] == 0:
                        slot = slot_of(index, f * N_KEYS + i, s[ZERO])
                    if index[slot + 3] - index[slot + 2] < end - place:
                        place = index[slot + 2]
                        end = index[slot + 3]
        place = next_match(s, heap, code, clauses, rows, place, end, arity)
        if place >= end:
            s[STAGE] = BACK
            return
    s[STAGE] = TRY
    s[CHOSEN] = rows[place]
    # Look-ahead: if no other clause can match, no choice point is created, or the old one is popped. So a
    # deterministic predicate leaves none behind, and frames are freed early.
    place = next_match(s, heap, code, clauses, rows, place + 1, end, arity)
    if place < end:
        if s[AGAIN] == 0:
            choice = push_choice(s, choices, goal)
            choices[choice + C_KIND] = CLAUSES
            choices[choice + C_END] = end
        choices[choice + C_POS] = place
    elif s[AGAIN] == 1:
        cut_to(s, choices, s[BARRIER])
    s[AGAIN] = 0


@inner
def enter(
    s: I64,
    heap: I64,
    trail: I64,
    frames: I64,
    log: I64,
    code: I64,
    work: I64,
    variables: I64,
    symbols: I64,
    clauses: I64,
) -> int:
    """Resolve the goal with the chosen clause."""
    clause = s[CHOSEN] * P_SIZE
    goal = s[GOAL]
    at = 0
    f = goal >> 3
    arity = 0
    if goal & 7 == STR:
        at = (goal >> 3) + 1
        f = heap[at - 1] >> 11
        arity = (heap[at - 1] >> 3) & 255
    for i in range(clauses[clause + P_VARS]):
        variables[i] = 0
    done = 1
    if arity > 0:
        done = unify_head(s, heap, trail, code, work, variables, clauses[clause + P_HEAD], arity, at)
    if done == 0:
        s[STAGE] = BACK
        return GO
    if done < 0:
        return GROW if done == -1 else TOO_LARGE
    node = noted(s, log, goal)
    if node >= 0:
        if symbols[f * Y_SIZE + Y_LIBRARY] == 1:
            node = SILENT
        else:
            log[node * L_SIZE + 1] = s[CHOSEN]
    # A body consists of the number of its goals, its length and a block that begins with the goals.
    body = clauses[clause + P_BODY]
    s[STAGE] = POP
    if body >= 0:
        first = build(s, heap, code, variables, body + 2, s[ZERO], code[body + 1])
        s[CUT] = s[BARRIER]
        s[PARENT] = node
        s[DEPTH] = s[DEPTH] + 1
        # The last goal is pushed first; the first goal is called at once and needs no frame.
        for i in range(code[body] - 1, 0, -1):
            push_frame(s, frames, heap[first + i])
        s[GOAL] = heap[first]
        s[STAGE] = CALL
    return GO


@inner
def start_table(s: I64, frames: I64, code: I64, entry: int) -> None:
    """Resolve a tabled call with its clauses, above the choice point of its evaluation."""
    s[PARENT] = SILENT
    push_frame(s, frames, ((s[CP] - 1) << 3 | DO_ANSWER) << 3 | FUN)
    code[code[entry + E_LINK] + R_STATUS] = RUNNING
    s[STAGE] = SELECT


@inner
def call_tabled(
    s: I64, heap: I64, choices: I64, frames: I64, code: I64, work: I64, hashed: I64, f: int, n: int, at: int
) -> int:
    """Answer a call from its table; an incomplete call is evaluated first, once per round."""
    # The call is written at the end of `code`; if an equal one is in the table, this space is reused.
    entry = s[CODE]
    if 2 * (s[ENTRIES] + 1) > len(hashed):
        s[WHICH] = HASH
        return GROW
    length = export(s, heap, code, work, at, n, entry + E_SIZE)
    if length < 0:
        return GROW
    record = entry + E_SIZE + length
    if record + R_SIZE > len(code):
        s[WHICH] = BLOCKS
        return GROW
    code[entry] = (f << 8 | n) << 3 | FUN
    code[entry + E_LENGTH] = length
    code[entry + E_VARS] = s[N_VARS]
    found = interned(code, hashed, entry)
    if found == entry:
        code[entry + E_LINK] = record
        code[entry + E_SEQUENCE] = 0
        for i in range(R_SIZE):
            code[record + i] = 0
        s[CODE] = record + R_SIZE
        s[ENTRIES] = s[ENTRIES] + 1
    record = code[found + E_LINK]
    status = code[record + R_STATUS]
    # A call under evaluation is answered with its answers so far, so both it and the reading call are
    # incomplete. The reading call depends on everything down to the lowest stack index of the call that it
    # reads.
    if s[REPLAY] >= 0 or status != FRESH:
        if s[REPLAY] < 0 and status != COMPLETE:
            s[CONSUMED] = s[CONSUMED] + 1
            evaluating = code[s[EVALUATING] + E_LINK]
            code[evaluating + R_LOW] = min(code[evaluating + R_LOW], code[record + R_LOW])
        choice = push_choice(s, choices, s[GOAL])
        choices[choice + C_KIND] = ANSWERS
        choices[choice + C_END] = found
        s[STAGE] = BACK
        return GO
    # On its first evaluation the call is pushed on the stack of incomplete calls, where later rounds find it.
    if code[record + R_PLACE] == 0:
        below = s[INCOMPLETE]
        place = 1 if below == 0 else code[code[below + E_LINK] + R_PLACE] + 1
        code[record + R_PLACE] = place
        code[record + R_LOW] = place
        code[record + R_BELOW] = below
        code[record + R_PENDING] = s[PENDING]
        code[record + R_CONSUMED] = s[CONSUMED]
        s[INCOMPLETE] = found
    code[record + R_ROUND] = s[PENDING]
    code[record + R_CALLER] = s[EVALUATING]
    s[EVALUATING] = found
    choice = push_choice(s, choices, s[GOAL])
    choices[choice + C_KIND] = EVALUATION
    choices[choice + C_POS] = found
    start_table(s, frames, code, found)
    return GO


@inner
def end_table(s: I64, choices: I64, frames: I64, code: I64, entry: int) -> None:
    """Finish a round of a tabled call: repeat it if new answers are possible, otherwise return the existing ones."""
    record = code[entry + E_LINK]
    # The leader of a component depends on no call below itself. It repeats the round as long as incomplete
    # answers were read and new ones were added since the round began. If there are none, the whole component
    # is complete.
    leads = code[record + R_LOW] == code[record + R_PLACE]
    if leads and s[CONSUMED] > code[record + R_CONSUMED] and s[PENDING] > code[record + R_ROUND]:
        code[record + R_ROUND] = s[PENDING]
        other = s[INCOMPLETE]
        # All other calls of the component are evaluated again in the new round.
        while other != entry:
            code[code[other + E_LINK] + R_STATUS] = FRESH
            other = code[code[other + E_LINK] + R_BELOW]
        start_table(s, frames, code, entry)
        return
    s[EVALUATING] = code[record + R_CALLER]
    cut_to(s, choices, s[CP] - 1)
    if leads:
        other = s[INCOMPLETE]
        while True:
            code[code[other + E_LINK] + R_STATUS] = COMPLETE
            if other == entry:
                break
            other = code[code[other + E_LINK] + R_BELOW]
        s[INCOMPLETE] = code[record + R_BELOW]
        s[PENDING] = code[record + R_PENDING]
        s[CONSUMED] = code[record + R_CONSUMED]
    else:
        # The call is not complete before its leader is; until then the answers found so far are used.
        code[record + R_STATUS] = RAN
        caller = code[s[EVALUATING] + E_LINK]
        code[caller + R_LOW] = min(code[caller + R_LOW], code[record + R_LOW])
    choice = push_choice(s, choices, s[GOAL])
    choices[choice + C_KIND] = ANSWERS
    choices[choice + C_END] = entry
    s[STAGE] = BACK


@inner
def use_answer(s: I64, heap: I64, trail: I64, log: I64, code: I64, work: I64, variables: I64) -> int:
    """Unify the goal with the chosen answer of its table."""
    entry = s[CHOSEN]
    length = code[entry + E_LENGTH]
    n_vars = code[entry + E_VARS]
    if s[H] + length + s[MARGIN] > len(heap):
        s[WHICH] = HEAP
        s[NEED] = length
        return GROW
    if n_vars > len(variables):
        s[WHICH] = VARIABLES
        s[NEED] = n_vars
        return GROW
    for i in range(n_vars):
        variables[i] = 0
    goal = s[GOAL]
    n = (heap[goal >> 3] >> 3) & 255 if goal & 7 == STR else 0
    first = build(s, heap, code, variables, entry + E_SIZE, s[ZERO], length)
    for i in range(n):
        done = unify(s, heap, trail, work, heap[first + i], heap[(goal >> 3) + 1 + i])
        if done < 0:
            return GROW if done == -1 else TOO_LARGE
        if done == 0:
            s[STAGE] = BACK
            return GO
    node = noted(s, log, goal)
    if node >= 0:
        log[node * L_SIZE + 1] = FROM_TABLE - entry
    s[STAGE] = POP
    return GO


@inner
def gather(s: I64, heap: I64, choices: I64, code: I64, variables: I64, at: int) -> int:
    """Finish findall/3: continue by unifying its last argument with the list of solutions."""
    # Each solution takes its own length and three cells of the list; its entry has more than three words
    # beside the cells.
    size = s[CODE] - choices[at + C_CODE] + 8
    if s[H] + size + s[MARGIN] > len(heap):
        s[WHICH] = HEAP
        s[NEED] = size
        return GROW
    entry = choices[at + C_POS]
    while entry != 0:
        if code[entry + E_VARS] > len(variables):
            s[WHICH] = VARIABLES
            s[NEED] = code[entry + E_VARS]
            return GROW
        entry = code[entry + E_LINK]
    goal = s[GOAL]
    equation = s[H]
    heap[equation] = EQUALS
    heap[equation + 1] = heap[(goal >> 3) + 3]
    last = equation + 2
    s[H] = s[H] + 3
    entry = choices[at + C_POS]
    while entry != 0:
        for i in range(code[entry + E_VARS]):
            variables[i] = 0
        first = build(s, heap, code, variables, entry + E_SIZE, s[ZERO], code[entry + E_LENGTH])
        h = s[H]
        heap[last] = h << 3 | STR
        heap[h] = CONS
        heap[h + 1] = heap[first]
        last = h + 2
        s[H] = h + 3
        entry = code[entry + E_LINK]
    heap[last] = NIL
    # The space of the solutions is reused unless a table has grown behind them.
    if s[ENTRIES] == choices[at + C_ENTRIES]:
        s[CODE] = choices[at + C_CODE]
    cut_to(s, choices, s[CP] - 1)
    s[GOAL] = equation << 3 | STR
    s[PARENT] = SILENT
    s[STAGE] = CALL
    return GO


@inner
def back(
    s: I64,
    heap: I64,
    trail: I64,
    choices: I64,
    frames: I64,
    log: I64,
    code: I64,
    variables: I64,
) -> int:
    """Backtrack to the newest choice point and run its alternative."""
    if s[CP] == 0:
        undo(s, heap, trail, s[ZERO])
        return FAILED
    c = (s[CP] - 1) * C_SIZE
    undo(s, heap, trail, choices[c + C_TR])
    s[H] = choices[c + C_H]
    s[HB] = choices[c + C_H]
    s[FR] = choices[c + C_FR]
    s[LG] = choices[c + C_LG]
    s[GOAL] = choices[c + C_GOAL]
    s[NEXT] = choices[c + C_NEXT]
    s[CUT] = choices[c + C_CUT]
    s[PARENT] = choices[c + C_PARENT]
    s[DEPTH] = choices[c + C_DEPTH]
    s[FUEL] = s[FUEL] - 1
    kind = choices[c + C_KIND]
    goal = s[GOAL]
    if kind == CLAUSES:
        s[AGAIN] = 1
        s[STAGE] = SELECT
    elif kind == OTHERWISE:
        cut_to(s, choices, s[CP] - 1)
        s[STAGE] = CALL
    elif kind == NEGATION:
        cut_to(s, choices, s[CP] - 1)
        node = noted(s, log, goal)
        if node >= 0:
            log[node * L_SIZE + 1] = NEGATED
        s[STAGE] = POP
    elif kind == COLLECTION:
        return gather(s, heap, choices, code, variables, c)
    elif kind == EVALUATION:
        end_table(s, choices, frames, code, choices[c + C_POS])
    elif kind == ANSWERS:
        record = code[choices[c + C_END] + E_LINK]
        last = choices[c + C_POS]
        # Answers added since the last visit are in the list too: an incomplete table is read while it grows.
        entry = code[record + R_FIRST] if last == 0 else code[last + E_LINK]
        if entry == 0 or (s[REPLAY] >= 0 and code[entry + E_SEQUENCE] >= s[REPLAY]):
            cut_to(s, choices, s[CP] - 1)
        else:
            choices[c + C_POS] = entry
            # This is the last answer of a complete table, so the choice point is removed before it is used.
            if code[record + R_STATUS] == COMPLETE and code[entry + E_LINK] == 0:
                cut_to(s, choices, s[CP] - 1)
            s[CHOSEN] = entry
            s[STAGE] = ANSWER_
    else:
        cut_to(s, choices, s[CP] - 1)
    return GO


@inner
def obey(s: I64, heap: I64, choices: I64, code: I64, work: I64, hashed: I64, outputs: I64, order: int) -> int:
    """Execute a command stored in a frame in place of a goal."""
    operation = order >> 3 & 7
    level = order >> 6
    c = level * C_SIZE
    # The condition of *-> keeps its choice points, which lie above that of the other branch. So that choice
    # point cannot be cut; it is disarmed.
    if operation == DO_SOFT:
        choices[c + C_KIND] = NOTHING
        s[STAGE] = POP
        return GO
    if operation <= DO_CUT_AND_FAIL:
        cut_to(s, choices, level)
        s[STAGE] = POP if operation == DO_CUT else BACK
        return GO
    if operation == DO_SOLUTION and (s[BATCH] < 2 or s[FOUND] >= s[SOLUTION_LIMIT]):
        return SOLUTION
    # the solution is stored as a block, and the search continues
    entry = s[CODE]
    at = (choices[c + C_GOAL] >> 3) + 1
    n = s[ZERO] + 1
    owner = 0
    if operation == DO_SOLUTION:
        at = outputs[s[ITEM]]
        n = outputs[len(outputs) - 1]
    elif operation == DO_ANSWER:
        owner = choices[c + C_POS]
        n = code[owner] >> 3 & 255
        if 2 * s[ENTRIES] + 2 > len(hashed):
            s[WHICH] = HASH
            return GROW
    length = export(s, heap, code, work, at, n, entry + E_SIZE)
    if length < 0:
        return GROW
    code[entry] = owner << 3
    code[entry + E_LENGTH] = length
    code[entry + E_VARS] = s[N_VARS]
    code[entry + E_LINK] = 0
    code[entry + E_SEQUENCE] = s[SEQUENCE]
    s[STAGE] = BACK
    if operation == DO_ANSWER:
        # A repeated answer counts only once, so recursion through tables terminates.
        if interned(code, hashed, entry) != entry:
            return GO
        record = code[owner + E_LINK]
        last = code[record + R_LAST]
        code[record + R_LAST] = entry
        if last == 0:
            code[record + R_FIRST] = entry
        s[SEQUENCE] = s[SEQUENCE] + 1
        s[PENDING] = s[PENDING] + 1
        s[ENTRIES] = s[ENTRIES] + 1
    elif operation == DO_COLLECT:
        last = choices[c + C_END]
        choices[c + C_END] = entry
        if last == 0:
            choices[c + C_POS] = entry
    else:
        last = s[OUT]
        s[OUT] = entry
        if last == 0:
            s[FIRST_OUT] = entry
        code[entry] = s[ITEM]
        s[FOUND] = s[FOUND] + 1
    if last != 0:
        code[last + E_LINK] = entry
    s[CODE] = entry + E_SIZE + length
    return GO


@inner
def decide(
    s: I64,
    heap: I64,
    floats: F64,
    trail: I64,
    log: I64,
    work: I64,
    symbols: I64,
    goal: int,
    kind: int,
    at: int,
) -> int:
    """Decide a deterministic built-in predicate."""
    left = heap[at]
    right = left if kind >= K_KIND else heap[at + 1]
    top = s[H]
    status = GO
    holds = 1
    if kind >= K_KIND:
        tag = dereferenced(heap, left) & 7
        if tag == OTHER:
            return PYTHON
        holds = (kind - K_KIND) >> tag & 1
    elif kind >= K_ORDER:
        if kind < K_NUMBERS:
            status = compare(s, heap, floats, work, symbols, left, right)
        else:
            status = evaluate(s, heap, floats, work, symbols, left)
            if status == GO:
                left = s[VALUE]
                status = evaluate(s, heap, floats, work, symbols, right)
            if status == GO:
                right = s[VALUE]
                if left & 7 == INT and right & 7 == INT:
                    s[VALUE] = (left > right) - (left < right)
                else:
                    x = floats[(left >> 3) + 1] if left & 7 == FLT else float(left >> 3)
                    y = floats[(right >> 3) + 1] if right & 7 == FLT else float(right >> 3)
                    s[VALUE] = (x > y) - (x < y)
        s[H] = top
        # -1, 0 or 1 selects the bit for less, equal or greater; without a comparison VALUE is an old one.
        if status == GO:
            holds = kind >> (s[VALUE] + 1) & 1
    else:
        mark = s[TR]
        barrier = s[HB]
        # Every binding is trailed, because all of them are undone at once.
        if kind == K_DIFFER:
            s[HB] = top
        elif kind == K_IS:
            status = evaluate(s, heap, floats, work, symbols, right)
            right = s[VALUE]
        elif kind == K_COMPARE:
            status = compare(s, heap, floats, work, symbols, right, heap[at + 2])
            right = (S_SAME + s[VALUE]) << 3 | ATOM
        if status == GO:
            holds = unify(s, heap, trail, work, left, right)
        if kind == K_DIFFER:
            undo(s, heap, trail, mark)
            s[HB] = barrier
            holds = 1 - holds if holds >= 0 else holds
    if status != GO:
        s[H] = top
        return status
    if holds < 0:
        return GROW if holds == -1 else TOO_LARGE
    s[STAGE] = BACK
    if holds > 0:
        noted(s, log, goal)
        s[STAGE] = POP
    return GO


@inner
def control(
    s: I64,
    heap: I64,
    choices: I64,
    frames: I64,
    log: I64,
    symbols: I64,
    goal: int,
    kind: int,
    n: int,
    at: int,
) -> int:
    """Start a control construct, which is composed of other goals."""
    level = s[CP]
    if kind == K_AND:
        push_frame(s, frames, heap[at + 1])
        s[GOAL] = heap[at]
        return GO
    if kind == K_CALL and n > 1:
        given = dereferenced(heap, heap[at])
        f = given >> 3
        m = 0
        if given & 7 == STR:
            f = heap[given >> 3] >> 11
            m = (heap[given >> 3] >> 3) & 255
        elif given & 7 != ATOM:
            return UNBOUND_GOAL if given & 7 == REF else NO_GOAL
        if m + n > 255:
            return NO_GOAL
        for _ in range(n - 1):
            other = symbols[f * Y_SIZE + Y_NEXT]
            if other == 0:
                s[WHICH] = f
                return SUCCESSOR
            f = other
        h = s[H]
        heap[h] = (f << 8 | (m + n - 1)) << 3 | FUN
        for i in range(m):
            heap[h + 1 + i] = heap[(given >> 3) + 1 + i]
        for i in range(n - 1):
            heap[h + 1 + m + i] = heap[at + 1 + i]
        s[H] = h + m + n
        s[GOAL] = h << 3 | STR
        s[PARENT] = noted(s, log, goal)
        s[CUT] = level
        return GO
    if kind != K_NOT and kind != K_FORALL:
        s[PARENT] = noted(s, log, goal)
    s[GOAL] = heap[at]
    operation = DO_CUT
    if kind == K_OR:
        choice = push_choice(s, choices, heap[at + 1])
        choices[choice + C_KIND] = OTHERWISE
        goal = dereferenced(heap, heap[at])
        functor = heap[goal >> 3] if goal & 7 == STR else 0
        # A plain disjunction is transparent to cuts; the condition of if-then-else is not (see the last
        # line).
        if functor != THEN and functor != SOFT:
            return GO
        operation = DO_CUT if functor == THEN else DO_SOFT
    if K_OR <= kind <= K_SOFT:
        # The branch is pushed with the clause's own `CUT`, so a cut in it cuts the clause.
        push_frame(s, frames, heap[(goal >> 3) + 2])
        s[GOAL] = heap[(goal >> 3) + 1]
    elif kind != K_CALL and kind != K_ONCE:
        choice = push_choice(s, choices, goal)
        # If the goal succeeds, the command after it cuts back to `level` and fails. If it fails, backtracking
        # reaches this choice point, and the negation succeeds.
        choices[choice + C_KIND] = COLLECTION if kind == K_FINDALL else NEGATION
        operation = DO_COLLECT if kind == K_FINDALL else DO_CUT_AND_FAIL
        s[PARENT] = SILENT
        if kind == K_FINDALL:
            s[GOAL] = heap[at + 1]
        elif kind == K_FORALL:
            # forall(C, A) is \+ (C, \+ A).
            h = s[H]
            heap[h] = AND
            heap[h + 1] = heap[at]
            heap[h + 2] = (h + 3) << 3 | STR
            heap[h + 3] = NOT
            heap[h + 4] = heap[at + 1]
            s[H] = h + 5
            s[GOAL] = h << 3 | STR
    if kind != K_CALL and kind != K_SOFT:
        push_frame(s, frames, (level << 3 | operation) << 3 | FUN)
    s[CUT] = s[CP]
    return GO


@inner
def has_room(s: I64, heap: I64, trail: I64, choices: I64, frames: I64, log: I64) -> bool:
    """Return whether every array has enough space for one step."""
    if s[H] + s[MARGIN] > len(heap):
        s[WHICH] = HEAP
        s[NEED] = 0
    elif s[TR] + 8 > len(trail):
        s[WHICH] = TRAIL
    elif (s[CP] + 3) * C_SIZE > len(choices):
        s[WHICH] = CHOICES
    elif s[FR] + s[MARGIN] > len(frames):
        s[WHICH] = FRAMES
    elif s[LG] + 4 * L_SIZE > len(log):
        s[WHICH] = LOG
    else:
        return True
    return False


@inner
def next_item(s: I64, heap: I64, trail: I64, items: I64) -> int:
    """Start the next of many goals."""
    undo(s, heap, trail, s[ZERO])
    s[ITEM] = s[ITEM] + 1
    if s[ITEM] >= s[ITEMS]:
        return DONE
    s[H] = s[BASE]
    s[HB] = s[BASE]
    s[CP] = 0
    s[FR] = F_SIZE
    s[LG] = 0
    s[GOAL] = items[s[ITEM]]
    s[NEXT] = 0
    s[CUT] = 0
    s[PARENT] = SILENT
    s[DEPTH] = 1
    s[STARTED] = s[INFERENCES]
    s[FOUND] = 0
    s[STAGE] = CALL
    return GO


@loop
def run(
    s: I64,
    heap: I64,
    floats: F64,
    trail: I64,
    choices: I64,
    frames: I64,
    log: I64,
    code: I64,
    work: I64,
    variables: I64,
    hashed: I64,
    symbols: I64,
    clauses: I64,
    rows: I64,
    index: I64,
    items: I64,
    outputs: I64,
    results: U8,
) -> int:
    """Run until there is a result.

    For many goals (`BATCH` is 1) only their truth is stored (1, 0, or 2 while unknown). For calls (`BATCH` is
    2) the values of the cells starting at `outputs` are stored for every solution; the last entry of
    `outputs` is their number.
    """
    while True:
        if s[FUEL] <= 0:
            return SLICE
        if not has_room(s, heap, trail, choices, frames, log):
            return GROW
        stage = s[STAGE]
        status = GO
        if stage == POP:
            at = s[NEXT]
            s[GOAL] = frames[at]
            s[NEXT] = frames[at + 1]
            s[CUT] = frames[at + 2]
            s[PARENT] = frames[at + 3]
            s[DEPTH] = frames[at + 4]
            # This is the last frame and no choice point needs it, so it is freed: a tail call takes no space.
            if at == s[FR] - F_SIZE and (s[CP] == 0 or at >= choices[(s[CP] - 1) * C_SIZE + C_FR]):
                s[FR] = at
            stage = CALL
        if stage == CALL:
            s[STAGE] = CALL
            s[FUEL] = s[FUEL] - 1
            goal = dereferenced(heap, s[GOAL])
            s[GOAL] = goal
            tag = goal & 7
            at = (goal >> 3) + 1
            f = goal >> 3
            n = 0
            if tag == STR:
                f = heap[at - 1] >> 11
                n = (heap[at - 1] >> 3) & 255
            kind = K_UNKNOWN
            if tag in (ATOM, STR):
                kind = symbols[f * Y_SIZE]
            if tag == FUN:
                status = obey(s, heap, choices, code, work, hashed, outputs, goal)
            elif tag != STR and tag != ATOM:
                status = UNBOUND_GOAL if tag == REF else NO_GOAL
            elif K_USER <= kind <= K_TABLED:
                if symbols[f * Y_SIZE + Y_COUNT] > FEW and symbols[f * Y_SIZE + Y_INDEX] == 0:
                    s[WHICH] = f
                    status = INDEX
                elif s[INFERENCES] - s[STARTED] >= s[INFERENCE_LIMIT]:
                    status = LIMIT
                elif s[DEPTH] > s[DEPTH_LIMIT]:
                    s[DEPTH_REACHED] = 1
                    s[STAGE] = BACK
                elif kind == K_TABLED and s[FORCED] == 0:
                    status = call_tabled(s, heap, choices, frames, code, work, hashed, f, n, at)
                    s[INFERENCES] = s[INFERENCES] + 1
                else:
                    s[FORCED] = 0
                    s[INFERENCES] = s[INFERENCES] + 1
                    s[STAGE] = SELECT
            elif kind >= K_UNIFY:
                status = decide(s, heap, floats, trail, log, work, symbols, goal, kind, at)
            elif kind >= K_FAIL:
                s[STAGE] = BACK
            elif kind >= K_AND:
                status = control(s, heap, choices, frames, log, symbols, goal, kind, n, at)
            elif kind >= K_TRUE:
                if kind == K_CUT:
                    cut_to(s, choices, s[CUT])
                noted(s, log, goal)
                s[STAGE] = POP
            else:
                s[WHICH] = f
                status = PYTHON if kind == K_PYTHON else UNKNOWN
        elif stage == TRY:
            status = enter(s, heap, trail, frames, log, code, work, variables, symbols, clauses)
        elif stage == BACK:
            status = back(s, heap, trail, choices, frames, log, code, variables)
        elif stage == SELECT:
            select(s, heap, code, choices, symbols, clauses, rows, index)
        else:
            status = use_answer(s, heap, trail, log, code, work, variables)
        if status == GO:
            continue
        if s[BATCH] == 0 or (status != SOLUTION and status != FAILED and status != LIMIT):
            return status
        item = s[ITEM]
        if status == SOLUTION:
            results[item] = s[BATCH]
        elif status == FAILED and s[DEPTH_REACHED] == 0:
            results[item] = 0
        # a table truncated by a limit must not count as complete
        spoilt = s[INCOMPLETE] + s[DEPTH_REACHED] * s[ENTRIES]
        s[DEPTH_REACHED] = 0
        after = next_item(s, heap, trail, items)
        if after != GO:
            return after
        if spoilt != 0:
            return LIMIT
