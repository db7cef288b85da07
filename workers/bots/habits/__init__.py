"""How people usually go on: one module a game, for bots that look ahead without deciding all.

A module offers `likely(game, seat, actions, pick)`: one of the actions that a seat is offered.
Where a game has none, any action is as likely as the next.
"""
