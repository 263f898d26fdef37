"""Layout of a network: its structure as flat arrays, used by both executors.

A row of `groups` describes a group: the index of its first unit, the number and kind of its units, the index
of its first bias among the weights (-1 if none), its range among the links, the index of its first output
among the targets (-1 if it is not an output), whether it feeds other groups, and the number of units that
share a bias. A row of `links` describes a link: the first index and number of its sources and targets, the
index of its first weight, and the start of its connections in `places` (-1 if fully connected). In `places`,
a link has the start for each source, followed by pairs of a target and a weight. Groups are in topological
order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.neural.links import AnyLink, Dense, executor, flat
from induce.neural.units import CODES, activated, returned
from induce.neural.windows import Windowed

if TYPE_CHECKING:
    from induce.neural.network import Group, Link

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Kept = dict[tuple[int, int], Any]
"""Inputs of links by group and link index: windows reuse them in the backward pass."""

# column of `groups` with the number of units
SIZE = 1


@dataclass(frozen=True, eq=False)
class Plan:
    """Structure of a network as arrays; see `plan_of`."""

    declared: tuple[Group, ...]
    declared_links: tuple[Link, ...]
    order: tuple[int, ...]
    groups: Ints
    facts: Floats
    factor: Floats
    outputs: tuple[int, ...]
    blocks: dict[Any, slice]
    into: tuple[tuple[AnyLink, ...], ...]

    @property
    def n_weights(self) -> int:
        """Number of weights."""
        return len(self.factor)

    @cached_property
    def n_units(self) -> int:
        """Number of units, inputs included."""
        return int(self.groups[:, SIZE].sum())

    @cached_property
    def n_inputs(self) -> int:
        """Number of inputs."""
        return sum(group.size for group in self.declared if group.unit == "input")

    @cached_property
    def n_outputs(self) -> int:
        """Number of outputs."""
        return sum(self.declared[place].size for place in self.outputs)

    @cached_property
    def n_seen(self) -> int:
        """Largest number of values that one link reads per row; overlapping windows repeat values."""
        return max((link.n_seen for links in self.into for link in links), default=0)

    @cached_property
    def delayed(self) -> bool:
        """Whether some link has a delay."""
        return any(link.delay for link in self.declared_links)

    @cached_property
    def is_free(self) -> bool:
        """Whether all weights are trained by their true gradient: none is frozen or updated by a mean."""
        return bool((self.factor == 1.0).all())

    @cached_property
    def is_direct(self) -> bool:
        """Whether each weight has one connection and is trained, so that it can be updated in place."""
        copies = np.zeros(self.n_weights)
        for place, group in enumerate(self.declared):
            if group.bias and group.unit != "input":
                copies[self.blocks[self.declared[place].name]] += group.cells
            for link in self.into[place]:
                if type(link) is not Dense:
                    return False
                copies[link.block] += 1
        return bool((copies == 1).all()) and self.is_free

    # --- for compiled loops ----------------------------------------------------------------------------------

    @cached_property
    def _flat(self) -> tuple[Ints, Ints]:
        shift, rows, places, n_places = _unit_starts(self.declared), [], [np.empty(0, np.int64)], 0
        for place in self.order:
            for link in self.into[place]:
                n_source, at = self.declared[link.source].size, -1
                if type(link) is not Dense:
                    at = n_places
                    places.append(flat(link, n_source))
                    n_places += places[-1].size
                size = self.declared[place].size
                rows.append([shift[link.source], n_source, shift[place], size, link.block.start, at])
        return np.array(rows, np.int64).reshape(-1, 6), np.concatenate(places)

    @property
    def links(self) -> Ints:
        """The links, one row each."""
        return self._flat[0]

    @property
    def places(self) -> Ints:
        """Connections of links that are not fully connected."""
        return self._flat[1]

    # --- in batches, by BLAS ---------------------------------------------------------------------------------

    def forward(self, w: Array, X: Any, kept: Kept | None = None) -> list[Array]:
        """Return the unit outputs of each declared group for each row; `kept` stores the inputs of windows.

        The inputs may be a sparse matrix if only dense links read them.
        """
        said: list[Any] = [None] * len(self.declared)
        start = 0
        for place, group in enumerate(self.declared):
            if group.unit == "input":
                said[place] = X[:, start : start + group.size]
                start += group.size
        for place in self.order:
            group = self.declared[place]
            if group.unit == "input":
                continue
            net = self.net(place, w, said, X.shape[0], kept)
            if group.bias:
                self.add_bias(group, w, net)
            said[place] = activated(CODES[group.unit], net, group.steepness, group.off, group.fires_at_zero)
        return said

    def net(self, place: int, w: Array, said: list[Any], n: int, kept: Kept | None = None) -> Array:
        """Return the net inputs of a group for each row, without biases."""
        net: Any = None
        for number, link in enumerate(self.into[place]):
            seen = link.seen(said[link.source])
            if kept is not None:
                kept[place, number] = seen
            found = link.push(w[link.block], said[link.source], seen)
            net = found if net is None else net + found
        return np.zeros((n, self.declared[place].size), w.dtype) if net is None else np.asarray(net)

    def add_bias(self, group: Group, w: Array, net: Array) -> None:
        """Add the biases of a group to its net inputs."""
        biases = w[self.blocks[group.name]]
        if group.cells == 1:
            net += biases
        else:
            net.reshape(len(net), len(biases), group.cells)[:] += biases[:, np.newaxis]

    def bias_gradient(self, group: Group, delta: Array) -> Array:
        """Return the derivative with respect to each bias of a group, summed over rows."""
        total = delta.sum(axis=0)
        return np.asarray(total if group.cells == 1 else total.reshape(-1, group.cells).sum(axis=1))

    def backward(
        self,
        w: Array,
        said: list[Array],
        errors: Array,
        deltas_given: bool,
        kept: Kept | None = None,
    ) -> Array:
        """Return the gradient, summed over rows, from dE/dout of the outputs, or from dE/dnet if given."""
        gradient = np.zeros_like(w)
        kept = {} if kept is None else kept
        written: set[int] = set()
        back: list[Any] = [None] * len(self.declared)
        split = np.cumsum([0, *(self.declared[place].size for place in self.outputs)])
        ends = {place: errors[:, split[k] : split[k + 1]] for k, place in enumerate(self.outputs)}
        for place in reversed(self.order):
            group = self.declared[place]
            if group.unit == "input" or (back[place] is None and place not in ends):
                continue
            code = CODES[group.unit]
            delta: Any = 0.0
            if back[place] is not None:
                delta = returned(code, said[place], back[place], group.steepness)
            if place in ends:
                own = ends[place]
                delta = delta + (own if deltas_given else returned(code, said[place], own, group.steepness))
            if group.bias:
                gradient[self.blocks[group.name]] += self.bias_gradient(group, delta)
            for number, link in enumerate(self.into[place]):
                source, block = link.source, link.block
                if (
                    type(link) is Dense
                    and block.start not in written
                    and isinstance(said[source], np.ndarray)
                ):
                    np.matmul(said[source].T, delta, out=gradient[block].reshape(link.shape))
                    written.add(block.start)
                else:
                    gradient[block] += link.gather(said[source], delta, kept.get((place, number)))
                if self.declared[source].unit != "input":
                    sent = link.back(w[block], delta)
                    back[source] = sent if back[source] is None else back[source] + sent
        return gradient

    def chosen(self, said: list[Array]) -> Array:
        """Select the outputs from the unit outputs of all groups."""
        parts = [said[place] for place in self.outputs]
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

    # --- weights by name -------------------------------------------------------------------------------------

    def _found(self, where: Any) -> AnyLink | Group:
        if isinstance(where, str):
            if where in self.blocks:
                return next(group for group in self.declared if group.name == where)
        elif where in self.blocks:
            link = next(each for each in self.declared_links if link_key(each) == where)
            names = [group.name for group in self.declared]
            source, target = names.index(link.source), names.index(link.target)
            return executor(link, source, self.declared[source], self.declared[target], self.blocks[where])
        what = "biases of a group" if isinstance(where, str) else "link"
        raise InputError(f"the network has no {what} {where!r}")

    def matrix(self, w: Array, where: Any) -> Array:
        """Return the bias of each unit of a group, or the weights of a link as a matrix of sources and targets."""
        found = self._found(where)
        if isinstance(found, Dense | Windowed):
            return found.matrix(w[found.block])
        return np.repeat(w[self.blocks[where]], found.cells)

    def kernels(self, w: Array, where: Any) -> Array:
        """Return the weights of a link through a window: target planes, source planes, rows and columns."""
        found = self._found(where)
        if not isinstance(found, Windowed):
            raise InputError(f"{where!r} has no window; use get for its weights")
        return found.kernels(w[found.block])

    def put(self, w: Array, where: Any, values: Array) -> None:
        """Write the biases of a group, or the weights of a link."""
        found, block = self._found(where), self.blocks[where]
        shape = np.shape(self.matrix(w, where))
        if values.shape != shape:
            raise InputError(
                f"the weights of {where!r} have shape {shape}; the given ones have {values.shape}"
            )
        if isinstance(found, Dense | Windowed):
            source, target, place = found.connections
            w[block][place] = values[source, target]
        else:
            w[block] = values[:: found.cells]

    def names(self) -> tuple[str, ...]:
        """Return the name of each weight."""
        found = [""] * self.n_weights
        for place in self.order:
            group = self.declared[place]
            own = group.unit_names()
            if group.bias and group.unit != "input":
                for number, weight in enumerate(range(*self.blocks[group.name].indices(self.n_weights))):
                    found[weight] = found[weight] or f"{own[number * group.cells]} <- 1"
            for link in self.into[place]:
                others = self.declared[link.source].unit_names()
                for i, j, weight in zip(*(part.tolist() for part in link.connections), strict=True):
                    name = f"{own[j]} <- {others[i]}"
                    found[link.block.start + weight] = found[link.block.start + weight] or name
        return tuple(found)


def plan_of(groups: Sequence[Group], links: Sequence[Link], outputs: Sequence[str]) -> Plan:
    """Return the structure of a network as arrays; raise an `InputError` for inconsistent parts."""
    place_of = _checked(groups, links, outputs)
    order = _topological(groups, links, place_of)
    allotted = _allotted(groups, links, order, place_of)
    blocks = allotted.blocks
    rows: list[list[int]] = []
    n_links = 0
    into: list[tuple[AnyLink, ...]] = [()] * len(groups)
    sizes = np.cumsum([0, *(groups[place_of[name]].size for name in outputs)])
    output_at = {name: int(start) for name, start in zip(outputs, sizes, strict=False)}
    # inputs come first among the units, in declared order, so that a row can be copied unchanged
    shift = _unit_starts(groups)
    all_into, seen = _into(links), {link.source for link in links if not link.delay}
    for place in order:
        group = groups[place]
        own = [link for link in all_into.get(group.name, []) if not link.delay]
        first, n_links = n_links, n_links + len(own)
        into[place] = tuple(
            executor(
                link,
                place_of[link.source],
                groups[place_of[link.source]],
                group,
                blocks[link_key(link)],
            )
            for link in own
        )
        bias = blocks[group.name].start if group.bias and group.unit != "input" else -1
        rows.append(
            [
                shift[place],
                group.size,
                CODES[group.unit],
                bias,
                first,
                n_links,
                output_at.get(group.name, -1),
                int(group.name in seen),
                group.cells,
            ]
        )
    facts = np.array(
        [[groups[place].steepness, groups[place].off, groups[place].fires_at_zero] for place in order],
        np.float64,
    )
    return Plan(
        tuple(groups),
        tuple(links),
        tuple(order),
        np.array(rows, np.int64).reshape(-1, 9),
        facts,
        allotted.factor(),
        tuple(place_of[name] for name in outputs),
        blocks,
        tuple(into),
    )


def _unit_starts(groups: Sequence[Group]) -> list[int]:
    found, start = [0] * len(groups), 0
    for is_input in (True, False):
        for place, group in enumerate(groups):
            if (group.unit == "input") is is_input:
                found[place] = start
                start += group.size
    return found


def _checked(groups: Sequence[Group], links: Sequence[Link], outputs: Sequence[str]) -> dict[str, int]:
    place_of: dict[str, int] = {}
    for place, group in enumerate(groups):
        group.check()
        if group.name in place_of:
            raise InputError(f"two groups are called {group.name!r}; give each its own name")
        place_of[group.name] = place
    joined = set()
    for link in links:
        for name in (link.source, link.target):
            if name not in place_of:
                raise InputError(
                    f"a link goes from {link.source!r} to {link.target!r}, but there is no group "
                    f"{name!r}; add it"
                )
        source, target = groups[place_of[link.source]], groups[place_of[link.target]]
        if target.unit == "input":
            raise InputError(f"a link goes into the inputs {target.name!r}; inputs only read the row")
        if (link.source, link.target, link.delay) in joined:
            raise InputError(f"two links go from {link.source!r} to {link.target!r}; merge them")
        joined.add((link.source, link.target, link.delay))
        if link.tie not in ("sum", "mean"):
            raise InputError(f"tie of a link is {link.tie!r}; give 'sum' or 'mean'")
        if link.window is not None:
            told = f"the link from {link.source!r} to {link.target!r}"
            if link.places is not None:
                raise InputError(f"{told} has both places and a window; give one of them")
            link.window.must_fit(source.shape, target.shape, told)
        if link.places is not None:
            shape = np.shape(link.places)
            if shape != (source.size, target.size):
                raise InputError(
                    f"places of the link from {source.name!r} to {target.name!r} has shape {shape}; "
                    f"give the shape {(source.size, target.size)}"
                )
    for name in outputs:
        if name not in place_of:
            raise InputError(
                f"outputs contains {name!r}, but there is no group of that name; give names of groups"
            )
    if not any(group.unit == "input" for group in groups):
        raise InputError("the network has no inputs; give a group the unit 'input'")
    if not outputs or any(groups[place_of[name]].unit == "input" for name in outputs):
        raise InputError("the network has no output units; name a group that is not an input")
    return place_of


def _topological(groups: Sequence[Group], links: Sequence[Link], place_of: dict[str, int]) -> list[int]:
    """Return the groups in topological order; raise an `InputError` that names a cycle."""
    before: dict[int, set[int]] = {place: set() for place in range(len(groups))}
    for link in links:
        if not link.delay:
            before[place_of[link.target]].add(place_of[link.source])
    after: dict[int, list[int]] = {place: [] for place in before}
    for place, needs in before.items():
        for source in needs:
            after[source].append(place)
    lacking = {place: len(needs) for place, needs in before.items()}
    order: list[int] = []
    ready = [place for place, number in lacking.items() if not number]
    while ready:  # all groups that see only earlier ones, in declared order
        order += ready
        following = []
        for place in ready:
            for target in after[place]:
                lacking[target] -= 1
                if not lacking[target]:
                    following.append(target)
        ready = sorted(following)
    if len(order) < len(groups):
        cycle = _cycle(groups, before, set(order))
        raise InputError(f"the links form a cycle: {cycle}; give one of them a delay, or remove it")
    return order


def _into(links: Sequence[Link]) -> dict[str, list[Link]]:
    """Return the links into each group."""
    found: dict[str, list[Link]] = {}
    for link in links:
        found.setdefault(link.target, []).append(link)
    return found


def _cycle(groups: Sequence[Group], before: dict[int, set[int]], done: set[int]) -> str:
    path = [next(place for place in before if place not in done)]
    while path[-1] not in path[:-1]:
        path.append(min(before[path[-1]] - done))
    loop = path[path.index(path[-1]) :]
    return " -> ".join(groups[place].name for place in reversed(loop))


class _Weights:
    """Allocates biases of groups and weights of links in the flat array; equal names share a block."""

    def __init__(self) -> None:
        self.blocks: dict[Any, slice] = {}
        self._shared: dict[str, slice] = {}
        self._trained: list[Floats] = []
        self._copies: list[Floats] = []
        self._means: list[bool] = []
        self._end = 0

    def add(self, key: Any, copies: Floats, shares: str, frozen: bool, mean: bool) -> None:
        size = len(copies)
        if shares in self._shared:
            found = self._shared[shares]
            if found.stop - found.start != size:
                raise InputError(
                    f"the weights shared as {shares!r} differ in number; use the same number everywhere"
                )
            self._copies[[*self._shared].index(shares)] += copies
            self.blocks[key] = found
            return
        self.blocks[key] = slice(self._end, self._end + size)
        self._shared[shares or f" {self._end}"] = self.blocks[key]
        self._end += size
        self._trained.append(np.full(size, 0.0 if frozen else 1.0))
        self._copies.append(copies.copy())
        self._means.append(mean)

    def factor(self) -> Floats:
        """Return the factor of each gradient: 0 for frozen weights, 1 over the number of copies for a mean."""
        scaled = [
            trained / copies if mean else trained
            for trained, copies, mean in zip(self._trained, self._copies, self._means, strict=True)
        ]
        return np.concatenate([np.empty(0), *scaled])


def _allotted(
    groups: Sequence[Group], links: Sequence[Link], order: list[int], place_of: dict[str, int]
) -> _Weights:
    """Return the positions of the biases of each group and the weights of each link."""
    found = _Weights()
    by_mean = {link.shares for link in links if link.shares and link.tie == "mean"}
    all_into = _into(links)
    for place in order:
        group = groups[place]
        own = all_into.get(group.name, [])
        if group.bias and group.unit != "input":
            mean = bool(group.shares) and any(link.tie == "mean" for link in own)
            copies = np.full(group.size // group.cells, float(group.cells))
            found.add(group.name, copies, group.shares, group.frozen, mean)
        for link in own:
            copies = _copies(link, groups[place_of[link.source]], group)
            mean = link.tie == "mean" or link.shares in by_mean
            found.add(link_key(link), copies, link.shares, link.frozen, mean)
    return found


def link_key(link: Link) -> tuple[Any, ...]:
    """Return the key of a link's weights: its groups, and its delay if any."""
    return (link.source, link.target, link.delay) if link.delay else (link.source, link.target)


def _copies(link: Link, source: Group, target: Group) -> Floats:
    """Return the number of connections of each weight of a link."""
    if link.window is not None:
        whole = executor(link, 0, source, target, slice(0, 0))
        n_weights = len(link.window.pairs(source.shape[0], target.shape[0])[0])  # type: ignore[index]
        n_weights *= 1 if link.window.pooled else link.window.n_cells
        return np.maximum(np.bincount(whole.connections[2], minlength=n_weights), 1).astype(np.float64)
    if link.places is None:
        return np.ones(source.size * target.size)
    places = np.asarray(link.places)
    copies = np.bincount(places[places >= 0], minlength=0).astype(np.float64)
    if (copies == 0).any():
        raise InputError(
            f"places of the link from {link.source!r} to {link.target!r} skips a number; number the "
            "weights 0, 1, 2 and so on"
        )
    return copies
