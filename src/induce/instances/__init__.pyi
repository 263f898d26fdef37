from induce.instances.cases.library import CaseLibrary as CaseLibrary
from induce.instances.kernels import Kernel as Kernel
from induce.instances.local.hypothesis import LocalRegression as LocalRegression
