"""Lints a chart strictly, and renders it with each file of values in its folder `ci`.

Usage: chart.py <chart> <version of Kubernetes>…
Writes {"faults": […], "cases": {"<name of the values>": [<object>…]}} as JSON. A kind that Kubernetes itself does not have
needs a schema in schemas.yaml; without one, that is a fault.
"""

import functools
import json
import sys
from pathlib import Path

import helm_python
import jsonschema
import yaml
from kubernetes_validate import SchemaNotFoundError, ValidationError, utils

# Every object needs the same files of schemas, which are large.
utils.schema_contents = functools.lru_cache(maxsize=None)(utils.schema_contents)

WARNING = 2
OTHERS = yaml.safe_load(Path(__file__).with_name("schemas.yaml").read_text())["kinds"]


def told(error):
    """The fault, and where it is."""
    place = ".".join(str(part) for part in error.absolute_path)
    return f"{place}: {error.message}" if place else error.message


def object_faults(one, version):
    """What Kubernetes of this version would not take, or would ignore."""
    try:
        utils.validate(one, version, strict=True)
    except ValidationError as error:
        yield told(error)
    except SchemaNotFoundError:
        kind = f"{one['apiVersion']} {one['kind']}"
        if kind not in OTHERS:
            yield f"there is no schema of {kind} in Kubernetes {version}"
            return
        for error in jsonschema.Draft202012Validator(OTHERS[kind]).iter_errors(one):
            yield told(error)


def rendered(chart, values):
    """The objects of a chart as Helm hands them to Kubernetes."""
    with helm_python.Chart.load(chart) as loaded:
        texts = loaded.render(values, name="holdpoint", namespace="holdpoint", revision=7)
    for name, text in texts.items():
        if not name.endswith(".txt"):
            yield from (one for one in yaml.safe_load_all(text) if one)


def case_faults(chart, versions, values, objects):
    try:
        report = helm_python.lint(chart, values, strict=True)
        yield from report["errors"]
        yield from (one["error"] for one in report["messages"] if one["severity"] >= WARNING)
        objects.extend(rendered(chart, values))
    except helm_python.HelmError as error:
        yield str(error)
    for one in objects:
        for version in versions:
            for fault in object_faults(one, version):
                yield f"{one['kind']} {one['metadata']['name']}: {fault}"


def main(chart, *versions):
    faults, cases = [], {}
    for file in sorted(Path(chart, "ci").glob("*-values.yaml")):
        name = file.name.removesuffix("-values.yaml")
        objects = cases[name] = []
        values = helm_python.values_from_yaml(file.read_text())
        for fault in case_faults(chart, versions, values, objects):
            faults.append(f"{name}: {fault}")
    json.dump({"faults": faults, "cases": cases}, sys.stdout)


main(*sys.argv[1:])
