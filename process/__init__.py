"""What makes a program a process of the platform: settings, logs, metrics, servers, statuses."""
