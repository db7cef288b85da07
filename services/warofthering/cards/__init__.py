"""The event cards: what their two halves do, and what those on the table change."""
