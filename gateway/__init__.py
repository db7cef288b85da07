"""The gateway: people, seats and addresses. It has no rules in it."""
