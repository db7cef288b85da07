"""How people usually go on, and what they think of: one module a game, for its judge in `evals`.

Bots that look ahead let a seat do what is likely wherever they do not decide for it.
"""
