"""Objects of Kubernetes as they are meant: what a cluster reads alike is alike."""

from __future__ import annotations

import json
import re

from tests.deploy.checkers import KUBERNETES, documents, run

COMPONENT = "app.kubernetes.io/component"
WORKLOADS = {"Deployment", "StatefulSet", "Job", "CronJob"}
HASHED = re.compile(r'"(bree|store-scripts)-[a-z0-9]{10}"')
"""The names that kustomize gives what its generators make."""


def by_name(text):
    """Objects by kind and name."""
    return {(one["kind"], one["metadata"]["name"]): one for one in documents(text) if one}


def overlaid(folder, *options):
    """The objects of an overlay with these options, as kustomize makes them."""
    folder.mkdir(parents=True, exist_ok=True)
    here = "/".join([".."] * (len(folder.resolve().parts) - 1)) + str(KUBERNETES)
    overlay = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "namespace": "bree",
        "resources": [here],
        "components": [f"{here}/options/{option}" for option in options],
    }
    (folder / "kustomization.yaml").write_text(json.dumps(overlay), encoding="utf-8")
    return run("kustomize", "build", folder)


def pod(one):
    """What runs, of an object that makes pods."""
    spec = one["spec"]
    if one["kind"] == "CronJob":
        spec = spec["jobTemplate"]["spec"]
    return spec["template"]["spec"]


def containers(one):
    """All that run in a pod, those that only begin among them."""
    return [*pod(one).get("initContainers", ()), *pod(one)["containers"]]


def meant(text):
    """Objects without what is not meant: labels of objects, namespaces, hashes, orders of lists."""
    found = {}
    for one in json.loads(HASHED.sub(r'"\1"', json.dumps(documents(text)))):
        if one is None or one["kind"] == "Namespace":
            continue
        kind, name = one["kind"], one["metadata"]["name"]
        for extra in ("labels", "namespace"):
            one["metadata"].pop(extra, None)
        if kind in WORKLOADS:
            _plain(one)
        found[kind, name] = one
    return found


def _plain(one):
    template = one["spec"].get("template", {})
    template.get("metadata", {}).pop("annotations", None)  # of Helm, so that pods follow settings
    for container in containers(one):
        container.pop("imagePullPolicy", None)
        for unordered in ("env", "volumeMounts"):
            if unordered in container:
                container[unordered] = sorted(container[unordered], key=_spelt)


def _spelt(one):
    return json.dumps(one, sort_keys=True)
