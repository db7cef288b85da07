"""What is done again and again goes on, whatever happens once."""

from __future__ import annotations

import asyncio

import pytest

from bree.process import metrics
from bree.process.again import again_and_again


def bugs():
    return metrics.BUGS.labels("mill")._value.get()


@pytest.mark.parametrize(("error", "counted"), [(OSError("away"), 0), (ValueError("odd"), 1)])
def test_an_error_is_not_the_end_and_is_counted_unless_it_passes(error, counted):
    left, before = [error, None, None], bugs()

    async def work():
        if not left:
            raise asyncio.CancelledError
        if (now := left.pop(0)) is not None:
            raise now

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(again_and_again("mill", work, 0, (OSError,)))

    assert [] == left
    assert counted == bugs() - before
