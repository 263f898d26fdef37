from induce.mixtures.hypothesis import Mixture as Mixture
