"""The event cards: what their two halves do.

Design. The printed facts are in `data/cards.json`, what cards on the table change is in
`play/kept.py`, and what a card does is here, in a line or a few for each half: the modules of the
decks say `event(card, effects)` and `combat(title, tactics)`, in the order of the cards' numbers.
What many cards share are the verbs of events and the tactics of Combat cards; what only one does
stands beside it. Cards call the chapters in `play/`, and where a chapter lacks what a card needs,
the chapter gets it: no rule is written again in a card. The chapters know no card; they find what
cards do in `play.event_effects` and `play.combat_effects`.

A question over the cards of a hand is a `HandQuestion` and never a `choose`: a frame that held such
cards would betray them.
"""
