from induce.sequences.answers import Forecast as Forecast
from induce.sequences.answers import Path as Path
from induce.sequences.explanation import StepExplanation as StepExplanation
from induce.sequences.hypothesis import HiddenMarkovChain as HiddenMarkovChain
from induce.sequences.parameters import MarkovParameters as MarkovParameters
