"""Reads exported files, and JSON of the command, with programs that had no part in writing them.

Arguments: the root of the workspace, the directory of the exported files, and the command `arm-pmu`.
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

root, exported, command = sys.argv[1:]
specs = os.path.join(root, "specs")
package = os.path.join(root, "crates", "arm-pmu-cli")
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
specifications = {}
for file in sorted(glob.glob(os.path.join(specs, "*.yaml")) + glob.glob(os.path.join(specs, "*", "*.yaml"))):
    # The first line names the schema for editors.
    mark, named = open(file).readline().strip().split("=")
    assert mark == "# yaml-language-server: $schema", file
    specifications.setdefault(os.path.normpath(os.path.join(os.path.dirname(file), named)), []).append(file)
assert set(specifications) == set(glob.glob(os.path.join(specs, "schema", "*.json"))), list(specifications)
for used, files in specifications.items():
    check(used, files)


def read(*path):
    with open(os.path.join(*path)) as file:
        return json.load(file)


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


# Other documents that no export may be: each breaks a property that readers rely on.
exports = jsonschema.Draft202012Validator(read(schema))
good = read(exported, "cci400.json")
registers, events = good["ip"]["registers"], good["ip"]["groups"][0]["events"]
for place, wrong in [
    (("format",), 2),
    (("ip", "counters", "count"), "4"),
    (("ip", "groups", 0, "events", 0, "code"), None),
    (("ip", "groups", 0, "events", 0, "counted"), "seconds"),
    (("ip", "registers"), registers + registers[:1]),
    (("ip", "registers", 0, "access"), "w2"),
    (("ip", "registers", 0, "width"), 7),
    (("ip", "registers", 0, "fields", 0, "bits"), "2..1"),
    (("ip", "registers", 0, "fields", 0, "bits"), {"high": 1, "low": 2}),
    (("ip", "registers", 0, "fields", 0, "bits"), {"high": 64, "low": 2}),
    (("ip", "registers", 0, "origin", "confidence"), "E"),
    (("more",), None),
    (("ip", "more"), None),
    (("ip", "registers", 0, "more"), None),
    (("ip", "groups", 0, "events", 0, "more"), None),
]:
    changed = copy.deepcopy(good)
    at(changed, place[:-1])[place[-1]] = wrong
    assert not exports.is_valid(changed), place

# Output with --json, by the schema with this name.
OUTPUTS = """
list-ips: list
list: list cci400
list: list --platform zynqmp
list-platforms: platform
platform: platform zynqmp
platform: platform agilex5
list: list arm11 --events
list: list cortex-a8
list: list mmu600 --registers
list: list cci550
show: show cci550 0x69
show: show cortex-a8 CPU_CYCLES
show: show cci400 PMCR
show: show cci550 SNOOP_HIT_RATE
show: show cci400 NIDEN_LOW
find: find snoop
find: find zebra
encode: encode cci550 SI3:READ_DATA_SNOOP_HIT SI0:READ_REQUEST_ANY
encode: encode cortex-a8 0x8
decode: decode arm1176 PMNC=0xFFFFFFFF
decode: decode cci550 0x69
perf: perf cci400 S3:READ_REQUEST_ANY cycles
recipe: recipe zynqmp --count apu:READ_REQUEST_ANY cycles
recipe: recipe cortex-a8 --count 0x8 cycles
device-tree: device-tree versal
device-tree: device-tree rk3399
doctor: doctor mmu600:tcu --from dumps/perf-altra.txt
report: report perf/6.12/cci400-r1/intervals-not-counted.csv --ip cci400
report: report perf/6.12/cci400-r1/repeated.csv
report: report perf/6.12/cci550/wide.json --ip mmu600:tbu
report: report runs/repeated.jsonl
report-against: report perf/6.12/cci400-r1/repeated.csv perf/6.12/cci400-r1/intervals-not-counted.csv
report-against: report perf/6.12/cci400-r1/repeated.csv runs/repeated.jsonl
report-runs: report runs/repeated.jsonl runs/repeated.jsonl
report-runs: report runs/compared.jsonl
report-runs: report runs/compared.jsonl --fail-if time>0%
doctor-live: doctor --live --platform zynqmp
check: check --size 1 --platform zynqmp
"""
# Lines without a hit, and lines whose result depends on the PMUs of this machine.
STATUS = {"find zebra": {1}, "doctor --live --platform zynqmp": {0, 1}, "check --size 1 --platform zynqmp": {0, 1, 2}}
schemas = {}
for name in os.listdir(os.path.join(package, "schema")):
    schemas[name.removesuffix(".json")] = jsonschema.Draft202012Validator(read(package, "schema", name))
unused = set(schemas)
for name, line in (row.split(": ", 1) for row in OUTPUTS.strip().splitlines()):
    arguments = [command, *line.split(), "--json"]
    output = subprocess.run(arguments, cwd=os.path.join(package, "tests"), stdout=subprocess.PIPE, check=False)
    assert output.returncode in STATUS.get(line, {0}), (line, output.returncode)
    schemas[name].validate(json.loads(output.stdout))
    unused.discard(name)
for name in ["compared", "repeated"]:
    for line in open(os.path.join(package, "tests", "runs", name + ".jsonl")):
        schemas["record"].validate(json.loads(line))
        assert not schemas["record"].is_valid(json.loads(line.replace('"line":', '"lines":'))), line
unused.discard("record")
assert not unused, unused
for name, validator in schemas.items():
    assert not validator.is_valid({}), f"{name} accepts an empty document"
print(f"{len(schemas)} schemas of the command's JSON")

# A key that is unknown, or something in the place of a text, a number or a list: an editor marks it anywhere.
for kind in ["registers", "events", "metrics", "aliases", "findings"]:
    schema = jsonschema.Draft7Validator(read(specs, "schema", kind + ".json"))
    good = os.path.join(root, "xtask", "tests", "good", "demo", kind + ".yaml")
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

ips = {ip["name"]: ip for ip in (read(file)["ip"] for file in documents)}


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
