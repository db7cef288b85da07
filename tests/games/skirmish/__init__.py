"""What the toy game says of its own positions."""
