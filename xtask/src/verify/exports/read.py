"""Reads exported files with programs that had no part in writing them.

Arguments: the directory of the specs, and that of the exported files.
"""

import copy
import glob
import json
import os
import subprocess
import sys

import cmsis_svd
import jsonschema
from cmsis_svd.parser import SVDParser
from ruamel.yaml import YAML

specs, exported = sys.argv[1:]
programs = os.path.dirname(sys.executable)


def run(*command):
    print(" ".join(os.path.relpath(part) if os.sep in part else part for part in command), flush=True)
    subprocess.run(command, check=True)


def check(schema, files):
    assert files, schema
    run(os.path.join(programs, "check-jsonschema"), "--schemafile", schema, *files)


# JSON and YAML, by their schemas.
schema = os.path.join(exported, "arm-pmu-export.schema.json")
documents = sorted(set(glob.glob(os.path.join(exported, "*.json"))) - {schema})
check(schema, documents)
for kind in ["registers", "events", "metrics", "aliases", "findings"]:
    files = sorted(glob.glob(os.path.join(specs, "*", kind + ".yaml")))
    architectures = [file for file in files if "\narchitecture:" in open(file).read()]
    check(os.path.join(specs, "schema", kind + ".json"), [f for f in files if f not in architectures])
    if architectures:
        check(os.path.join(specs, "schema", "architecture.json"), architectures)

check(os.path.join(specs, "schema", "common-findings.json"), [os.path.join(specs, "findings.yaml")])


def places(node, path=()):
    """All parts of a document, with the path to each."""
    yield path, node
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield from places(value, path + (key,))


def at(node, path):
    for key in path:
        node = node[key]
    return node


# A key that is unknown, or something in the place of a text, a number or a list: an editor marks it anywhere.
for kind in ["registers", "events", "metrics", "aliases", "findings"]:
    schema = jsonschema.Draft7Validator(json.load(open(os.path.join(specs, "schema", kind + ".json"))))
    good = os.path.join(specs, "..", "xtask", "tests", "good", "demo", kind + ".yaml")
    document = YAML(typ="safe").load(open(good))
    assert schema.is_valid(document), good
    for path, node in places(document):
        wrong = copy.deepcopy(document)
        if isinstance(node, dict):
            at(wrong, path)["unknown"] = 1
        else:
            at(wrong, path[:-1])[path[-1]] = {"unknown": 1}
        assert not schema.is_valid(wrong), (kind, path)

# SVD, by the schema of CMSIS, and the address of each register beside that in JSON.
xsd = os.path.join(os.path.dirname(cmsis_svd.__file__), "schemas", "CMSIS-SVD_1_3_10.xsd")
files = sorted(glob.glob(os.path.join(exported, "*.svd")))
assert files
run("xmllint", "--noout", "--schema", xsd, *files)

ips = {ip["name"]: ip for ip in (json.load(open(file))["ip"] for file in documents)}


def wanted(ip, unit):
    """The addresses of all registers from the base, by 32-bit words."""
    pages = {page["page"]: page["offset"] for page in unit["pages"]} if unit else {}
    for register in ip["registers"]:
        place = register["location"]["memory"]
        start = place["offset"] + pages.get(place["page"], 0)
        words = {0} | {field["bits"]["low"] // 32 for field in register["fields"]}
        for n in range(place["count"]):
            yield from (start + n * place["stride"] + 4 * word for word in words)


def named(ip):
    """The values that have a name: field, name and value."""
    fields = [field for register in ip["registers"] for field in register["fields"]]
    return ((field["name"], of["name"], of["value"]) for field in fields for of in field["values"])


def named_there(peripheral):
    """The same of a peripheral in SVD."""
    for register in peripheral.get_registers():
        for field in register.get_fields():
            for values in field.enumerated_values or []:
                yield from ((field.name, of.name, of.value) for of in values.enumerated_values)


for file in files:
    device = SVDParser.for_xml_file(file).get_device(xml_validation=False)
    for peripheral in device.peripherals:
        group = peripheral.group_name
        ip = next(ip for name, ip in ips.items() if name.upper().replace("-", "_") == group)
        units = [unit for unit in ip["units"] if unit["pages"]]
        unit = next((unit for unit in units if unit["title"] in peripheral.description), None)
        addresses = {register.address_offset for register in peripheral.get_registers()}
        assert addresses == set(wanted(ip, unit)), (file, peripheral.name)
        assert set(named_there(peripheral)) == set(named(ip)), (file, peripheral.name)
        print(f"{os.path.basename(file)}: {peripheral.name}, {len(addresses)} registers")
