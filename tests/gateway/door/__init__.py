"""The door: HTTP, Connect and the page's files."""
