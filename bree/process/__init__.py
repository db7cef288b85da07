"""What makes a program a process of the platform: settings, logs, metrics, servers, statuses."""

from bree.process import unobserved as unobserved  # before anybody imports Redis's client
