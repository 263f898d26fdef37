"""A network learns to steer from views of a road, as ALVINN did, and drives along a road it has not seen.

The views are generated: a road in perspective, with random curves, offsets, light and noise.
"""

import numpy as np

from induce.textbook.driving import SHAPE, centre, drive, roads, trained

learner = trained()
network = learner.hypothesis_
print(network.network)

views = roads(200, seed=9)
error = np.abs(centre(learner.predict(views.images)) - views.directions).mean()
print(f"mean error on 200 other views: {'under' if error < 1 else 'over'} 1 of 30 directions")

way = drive(network.network, steps=400)
print("on the road" if way.stays else "off the road", "after 400 steps")
print("near the middle after the start:", bool(np.abs(way.offsets[60:]).max() < 0.3))

way.draw().savefig("drive.svg")
network.draw("brightness", shape=SHAPE).savefig("weights.png")
print("wrote drive.svg and weights.png")
