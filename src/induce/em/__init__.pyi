from induce.em.driver import Maximised as Maximised
from induce.em.driver import maximise as maximise
from induce.em.means_of_gaussians import GaussianMeans as GaussianMeans
from induce.em.means_of_gaussians import gaussian_means as gaussian_means
