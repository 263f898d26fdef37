from induce.neural.gradients import GradientCheck as GradientCheck
from induce.neural.gradients import gradient_check as gradient_check
from induce.neural.network import Group as Group
from induce.neural.network import Link as Link
from induce.neural.network import Network as Network
from induce.neural.network import collapse as collapse
from induce.neural.objective import NetworkObjective as NetworkObjective
