"""The champion: two small networks that judge every choice in chips, played in NumPy (extra `champion`).

from bourre_lab.champion import judge
best = max(judge(view), key=lambda judged: judged.chips)
"""

from importlib.util import find_spec

if find_spec("numpy") is None:
    from bourre.extras import install_command

    raise ImportError(f"The champion needs NumPy.\nhint: {install_command('champion')}")

from bourre_lab.champion.judge import ChampionBot, Judged, judge, judge_views

__all__ = ["ChampionBot", "Judged", "judge", "judge_views"]
