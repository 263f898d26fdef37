from induce.counts.joint import JointCounts as JointCounts
from induce.counts.moments import Moments as Moments
from induce.counts.numbers import NumberCounts as NumberCounts
from induce.counts.steps import Steps as Steps
from induce.counts.tokens import TokenCounts as TokenCounts
