"""Writes again what follows from other files: deployments, the manual page, the OpenAPI document.

Between `# derived: NAME` and `# end of NAME` a file of deploy/ is not written by hand. A folder of
deploy/kubernetes/games is whole. `make derived` runs this; a test compares.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from bree import __version__
from bree.cli import manual
from services.manifests import Manifest, manifests

ROOT = Path(__file__).resolve().parent.parent
PORT, METRICS = 7100, 9100
OPENAPI = runpy.run_path(str(ROOT / "scripts/openapi.py"))

Games = Iterable[Manifest]
Block = Callable[[Games], Iterator[str]]

FOLDER = """\
# derived: the engines of {title}.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namePrefix: {name}-
resources:
  - ../../engine
labels:
  - pairs: {{bree/game: {name}}}
    includeSelectors: true
    includeTemplates: true
patches:
  - target: {{kind: StatefulSet, name: engine}}
    patch: |-
      - {{op: replace, path: /spec/template/spec/containers/0/args, value: [{name}]}}
      - {{op: replace, path: /spec/template/spec/containers/0/image, value: {image}}}
replicas:
  - {{name: engine, count: {replicas}}}
"""


# Compose: each replica is a service of its own, and so has an address of its own.


def _replicas(game: Manifest) -> list[str]:
    return [f"{game.name}-{number}" for number in range(1, game.replicas + 1)]


def _compose_addresses(games: Games) -> Iterator[str]:
    yield "BREE_ENGINES: &engines >-"
    lines = [f"  {g.name}={','.join(f'{at}:{PORT}' for at in _replicas(g))}" for g in games]
    yield from ";\n".join(lines).split("\n")


def _compose_engines(games: Games) -> Iterator[str]:
    for game in games:
        first, *others = _replicas(game)
        yield f"{first}: &{game.name}"
        yield from ("  <<: *engine", f"  image: {game.image}", f"  command: [{game.name}]")
        for other in others:
            yield from ("", f"{other}: *{game.name}")
        yield ""


def _compose_needs(games: Games) -> Iterator[str]:
    yield from (f"{_replicas(game)[0]}: {{condition: service_healthy}}" for game in games)


def _compose_traced(games: Games) -> Iterator[str]:
    yield from (f"{replica}: *traced" for game in games for replica in _replicas(game))


def _compose_scraped(games: Games) -> Iterator[str]:
    for game in games:
        yield _scraped(", ".join(_replicas(game)))


def _scraped(names: str) -> str:
    return f"- {{names: [{names}], type: A, port: {METRICS}, refresh_interval: 10s}}"


# Kubernetes: the replicas of a game are the pods of one StatefulSet.


def _cluster_folders(games: Games) -> Iterator[str]:
    yield from (f"- games/{game.name}" for game in games)


def _cluster_addresses(games: Games) -> Iterator[str]:
    told = (f"{game.name}={','.join(_pods(game))}" for game in games)
    yield f"- BREE_ENGINES={';'.join(told)}"


def _pods(game: Manifest) -> Iterator[str]:
    engine = f"{game.name}-engine"
    return (f"{engine}-{number}.{engine}:{PORT}" for number in range(game.replicas))


def _cluster_images(games: Games) -> Iterator[str]:
    names = {"bree-commands", "bree-gateway", "bree-worker", *(game.image for game in games)}
    yield from (f'- {{name: {name}, newTag: "{__version__}"}}' for name in sorted(names))


def _cluster_backup(_: Games) -> Iterator[str]:
    yield f'- {{name: bree-commands, newTag: "{__version__}"}}'


def _cluster_workers(_: Games) -> Iterator[str]:
    yield f'- {{name: bree-worker, newTag: "{__version__}"}}'


def _cluster_upgrade(_: Games) -> Iterator[str]:
    yield f"name: ledger-upgrade-{__version__.replace('.', '-')}"


# The chart of Helm: its templates go over the games that its values list.


def _chart_games(games: Games) -> Iterator[str]:
    yield "games:"
    for game in games:
        yield f"  {game.name}: {{replicas: {game.replicas}, image: {game.image}}}"


def _chart_version(_: Games) -> Iterator[str]:
    yield from (f"version: {__version__}", f'appVersion: "{__version__}"')


def _cluster_scraped(games: Games) -> Iterator[str]:
    yield from (_scraped(f"{game.name}-engine.bree.svc") for game in games)


BLOCKS: Mapping[str, Mapping[str, Block]] = {
    "deploy/compose/compose.yaml": {
        "addresses of engines": _compose_addresses,
        "engines": _compose_engines,
        "engines that are needed": _compose_needs,
    },
    "deploy/compose/traces.yaml": {"engines": _compose_traced},
    "deploy/prometheus/prometheus.yaml": {"engines": _compose_scraped},
    "deploy/prometheus/kubernetes.yaml": {"engines": _cluster_scraped},
    "deploy/kubernetes/kustomization.yaml": {
        "games": _cluster_folders,
        "addresses of engines": _cluster_addresses,
        "images": _cluster_images,
    },
    "deploy/kubernetes/options/backup/kustomization.yaml": {"image": _cluster_backup},
    "deploy/kubernetes/options/brokers/kustomization.yaml": {"image": _cluster_workers},
    "deploy/kubernetes/upgrade.yaml": {"name of the upgrade": _cluster_upgrade},
    "deploy/helm/bree/Chart.yaml": {"version": _chart_version},
    "deploy/helm/bree/values.yaml": {"games": _chart_games},
}

CHART, OPTIONS = "deploy/helm/bree/files", "deploy/kubernetes/options"
SAME = {
    f"{CHART}/network.yaml": "deploy/kubernetes/network.yaml",
    f"{CHART}/network-store-replicas.yaml": f"{OPTIONS}/store-replicas/network.yaml",
    f"{CHART}/network-ledger-cnpg.yaml": f"{OPTIONS}/ledger-cnpg/network.yaml",
    f"{CHART}/network-ledger-elsewhere.yaml": f"{OPTIONS}/ledger-elsewhere/network.yaml",
    f"{CHART}/network-backup.yaml": f"{OPTIONS}/backup/network.yaml",
    f"{CHART}/network-store-cluster.yaml": f"{OPTIONS}/store-cluster/network.yaml",
    f"{CHART}/network-brokers.yaml": f"{OPTIONS}/brokers/network.yaml",
    f"{CHART}/start-store": f"{OPTIONS}/store-replicas/start-store",
    f"{CHART}/start-sentinel": f"{OPTIONS}/store-replicas/start-sentinel",
    f"{OPTIONS}/store-cluster/cluster.conf": "deploy/redis/cluster.conf",
    f"{CHART}/cluster.conf": "deploy/redis/cluster.conf",
    **{
        f"{CHART}/{name}": f"{OPTIONS}/store-cluster/{name}"
        for name in ("start-node", "make-cluster", "is-in-step")
    },
}
"""Files that are others, since a chart reads nothing beside itself."""


def derived(root: Path, games: Games) -> dict[Path, str]:
    """The text of every file that follows from others, wholly or in part."""
    api = OPENAPI["document"](ROOT / "protos")
    found = {
        root / "docs/man/bree.1": manual.page(),
        root / "gateway/door/openapi.json": api,
    }
    for name, blocks in BLOCKS.items():
        text = (root / name).read_text("utf-8")
        for block, write in blocks.items():
            text = _replaced(text, block, list(write(games)))
        found[root / name] = text
    for name, other in SAME.items():
        found[root / name] = (root / other).read_text("utf-8")
    for game in games:
        folder = root / "deploy/kubernetes/games" / game.name
        found[folder / "kustomization.yaml"] = FOLDER.format(
            title=game.title, name=game.name, image=game.image, replicas=game.replicas
        )
    return found


def _replaced(text: str, block: str, lines: list[str]) -> str:
    """A text with other lines between the marks of a block, as far to the right as these."""
    marks = rf"(?m)^( *)# derived: {block}\n(?:.*\n)*?\1# end of {block}$"
    (found,) = re.finditer(marks, text)
    indent = found[1]
    whole = [f"# derived: {block}", *lines, f"# end of {block}"]
    written = "\n".join(f"{indent}{line}".rstrip() for line in whole)
    return text[: found.start()] + written + text[found.end() :]


def main() -> None:
    """Write what is not as it should be, and say what that was."""
    for path, text in derived(ROOT, manifests().values()).items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            print(f"bree: wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
