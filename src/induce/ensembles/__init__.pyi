from induce.ensembles.hypothesis import Ensemble as Ensemble
from induce.ensembles.learners.adaboost import AdaBoost as AdaBoost
from induce.ensembles.learners.bagging import Bagging as Bagging
from induce.ensembles.learners.random_forest import RandomForest as RandomForest
from induce.ensembles.scorecard.card import Scorecard as Scorecard
