"""Which door? A robot meets an impasse, learns a chunk from its search, and does not meet it again.

It looks for a charger behind two doors, some of which are locked. The chunk names what the search turned on: that the
next room is unlocked and has a door to a room with a charger. The second building is another one.
"""

from induce.analytical import ProductionSystem

robot = ProductionSystem(
    """
    propose(go(Y)) :- at(X), door(X, Y).
    add(at(Y)) :- selected(go(Y)), \\+ locked(Y).
    remove(at(X)) :- selected(go(Y)), at(X), \\+ locked(Y).
    success :- at(X), charger(X).
    """
)
first = robot.run(
    """
    at(hall). door(hall, office). door(hall, workshop). door(hall, store). door(office, kitchen). door(store, lab).
    locked(office). charger(lab). carpet(hall).
    """
)
print(f"{first}\n")
for chunk in first.chunks:
    print(f"{chunk.justify()}\n")

elsewhere = "at(yard). door(yard, barn). door(yard, shed). door(shed, loft). charger(loft). locked(cellar)."
print(f"without the chunks:\n{robot.run(elsewhere, learn=False)}\n")
print(f"with them:\n{first.system.run(elsewhere)}")
