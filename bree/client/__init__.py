"""The Python client, and bots that show how to use it."""

from bree.client.client import Client
from bree.client.patience import Refused

__all__ = ["Client", "Refused"]
