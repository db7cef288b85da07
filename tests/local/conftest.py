"""A state directory, and a supervisor of few and simple parts."""

from __future__ import annotations

import pytest

from bree.local.settings import LocalSettings
from bree.local.state import State
from bree.local.supervisor import Supervisor


@pytest.fixture
def settings(tmp_path):
    return LocalSettings(state=tmp_path / "state", start_seconds=20, stop_seconds=5)


@pytest.fixture
def state(settings):
    state = State(settings.state)
    yield state
    state.close()


@pytest.fixture
def said():
    return []


@pytest.fixture
def supervise(settings, state, said):
    def supervise(*parts, **more):
        changed = settings.model_copy(update=more)
        return Supervisor(parts, state, changed, said.append)

    return supervise
