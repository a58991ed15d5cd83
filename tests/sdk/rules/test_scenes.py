"""Each scene in `scenes/` is told as it is written there."""

from __future__ import annotations

import pytest

from tests.sdk.rules.scenes import Scene, scenes, told


@pytest.mark.parametrize("scene", tuple(scenes()), ids=str)
def test_a_scene_is_told_as_it_is_written(scene: Scene) -> None:
    for table in scene.tables():
        for answers, expected in scene.lines:
            assert told(table, answers) == expected
