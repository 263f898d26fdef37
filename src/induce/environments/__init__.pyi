from induce.environments.grids import grid_world as grid_world
from induce.environments.mdp import MDP as MDP
from induce.environments.tables import EstimatedMDP as EstimatedMDP
from induce.environments.tables import estimate as estimate
