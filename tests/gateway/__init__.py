"""The gateway, alone: before a fake engine, on both stores."""
