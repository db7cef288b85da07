"""Serves any `Rules` over gRPC: calls, storage, clocks, watchers. It knows no particular game."""
