"""Ledgers on every version of PostgreSQL that is here, and what asks them."""

from __future__ import annotations

import asyncio
import inspect

import pytest

from bree.ledger.upgrade import upgrade


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(pyfuncitem.obj(**arguments))
    return True


@pytest.fixture
def ledger_url(database):
    """A ledger with nothing in it."""
    upgrade(database)
    return database
