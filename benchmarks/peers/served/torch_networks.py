"""PyTorch's time for one update example by example, or for one epoch in batches, in processor seconds as JSON.

Run by a Python that has torch: ``python torch_networks.py update 8 3 8``, ``epoch 10000``, ``lenet 2000`` or
``graph FILE``.
"""

from __future__ import annotations

import json
import sys
import time

import torch
from torch import nn

REPEATS = 3


class Pooled(nn.Module):
    """LeNet's subsampling: the mean of four times a gain, plus a bias, through tanh."""

    def __init__(self, planes: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(planes, 1, 1))
        self.bias = nn.Parameter(torch.zeros(planes, 1, 1))
        self.mean = nn.AvgPool2d(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.mean(x) * self.gain + self.bias)


def update(n_inputs: int, n_hidden: int, n_outputs: int, n: int = 400) -> float:
    """Seconds for one update by one example."""
    model = nn.Sequential(
        nn.Linear(n_inputs, n_hidden), nn.Sigmoid(), nn.Linear(n_hidden, n_outputs), nn.Sigmoid()
    )
    descent = torch.optim.SGD(model.parameters(), 0.01)
    X, T = torch.rand(n, n_inputs), torch.rand(n, n_outputs)
    start = time.process_time()
    for row in range(n):
        descent.zero_grad()
        loss = 0.5 * ((model(X[row : row + 1]) - T[row : row + 1]) ** 2).sum()
        loss.backward()
        descent.step()
    return (time.process_time() - start) / n


def epoch(model: nn.Module, X: torch.Tensor, size: int) -> float:
    """Seconds for one epoch of Adam in batches."""
    y = torch.randint(0, 10, (len(X),))
    descent = torch.optim.Adam(model.parameters(), 0.001)
    start = time.process_time()
    for rows in torch.randperm(len(X)).split(size):
        descent.zero_grad()
        nn.functional.cross_entropy(model(X[rows]), y[rows]).backward()
        descent.step()
    return time.process_time() - start


def dense(n: int) -> float:
    """784-300-10 in batches of 200."""
    return epoch(
        nn.Sequential(nn.Linear(784, 300), nn.Sigmoid(), nn.Linear(300, 10)), torch.rand(n, 784), 200
    )


def lenet(n: int) -> float:
    """LeNet-5 on pictures of 28 x 28, in batches of 100."""
    layers = [nn.Conv2d(1, 6, 5, padding=2), nn.Tanh(), Pooled(6), nn.Conv2d(6, 16, 5), nn.Tanh(), Pooled(16)]
    layers += [
        nn.Conv2d(16, 120, 5),
        nn.Tanh(),
        nn.Flatten(),
        nn.Linear(120, 84),
        nn.Tanh(),
        nn.Linear(84, 10),
    ]
    return epoch(nn.Sequential(*layers), torch.rand(n, 1, 28, 28), 100)


class Graph(nn.Module):
    """Groups of sigmoid units that see earlier groups, some of the connections masked."""

    def __init__(self, graph: dict) -> None:
        super().__init__()
        self.order = [name for name, _ in graph["groups"]]
        self.links = [(source, target) for source, target, _, _ in graph["links"]]
        weights = [torch.tensor(each[2]) for each in graph["links"]]
        self.weights = nn.ParameterList([nn.Parameter(each) for each in weights])
        self.masks = [torch.tensor(each[3]) for each in graph["links"]]
        self.dense = [bool(mask.all()) for mask in self.masks]
        self.biases = nn.ParameterList([nn.Parameter(torch.zeros(size)) for _, size in graph["groups"][1:]])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        said = {self.order[0]: x}
        for name, bias in zip(self.order[1:], self.biases, strict=True):
            net = bias
            for place, (source, target) in enumerate(self.links):
                if target == name:
                    weight = self.weights[place]
                    net = net + said[source] @ (weight if self.dense[place] else weight * self.masks[place])
            said[name] = torch.sigmoid(net)
        return said[self.order[-1]]


def graph(file: str) -> float:
    """Seconds for one update by one example of a graph of units."""
    with open(file, encoding="utf-8") as given:
        told = json.load(given)
    model, rows = Graph(told), torch.tensor(told["rows"])
    descent = torch.optim.SGD(model.parameters(), 0.01)
    start = time.process_time()
    for row in rows:
        descent.zero_grad()
        loss = 0.5 * ((model(row[None]) - 0.5) ** 2).sum()
        loss.backward()
        descent.step()
    return (time.process_time() - start) / len(rows)


if __name__ == "__main__":
    torch.set_num_threads(1)
    task = {"update": update, "epoch": dense, "lenet": lenet, "graph": graph}[sys.argv[1]]
    sizes = [int(word) if word.isdigit() else word for word in sys.argv[2:]]
    print(json.dumps(min(task(*sizes) for _ in range(REPEATS))))
