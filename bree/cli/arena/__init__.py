"""`bree arena`: bots against bots, many games at once, and what follows from them."""
