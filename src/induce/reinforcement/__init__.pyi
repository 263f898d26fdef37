from induce.reinforcement.explanation import Reasons as Reasons
from induce.reinforcement.learners.dynamic_programming import DynamicProgramming as DynamicProgramming
from induce.reinforcement.policy import Policy as Policy
from induce.reinforcement.reading.reading import PolicyReading as PolicyReading
from induce.reinforcement.solving.methods import Solved as Solved
from induce.reinforcement.solving.methods import steps_to_end as steps_to_end
