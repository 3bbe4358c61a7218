"""Reads exported files, and JSON of the command, with programs that had no part in writing them.

Arguments: the root of the workspace, the directory of the exported files, and the command `arm-pmu`.
"""

import copy
import csv
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


# Documents that the schema must reject: each breaks a property that readers rely on.
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

# Commands whose --json output is validated with the schema of this name.
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

# The schemas reject an unknown key in any place, or a mapping in place of a text, a number or a
# list. So an editor marks these mistakes.
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

# Checks SVD files with the schema of CMSIS, and compares their registers and fields with the JSON
# files.
xsd = os.path.join(os.path.dirname(cmsis_svd.__file__), "schemas", "CMSIS-SVD_1_3_10.xsd")
files = sorted(glob.glob(os.path.join(exported, "*.svd")))
assert files
run("xmllint", "--noout", "--schema", xsd, *files)

ips = {ip["name"]: ip for ip in (read(file)["ip"] for file in documents)}



def rows(ip, kind, *columns):
    """These columns of a table."""
    with open(os.path.join(exported, f"{ip['name']}-{kind}.csv"), newline="") as file:
        return [tuple(row[column] for column in columns) for row in csv.DictReader(file)]


# CSV: every event at every source, and all bits of every register, with the offset from the base of the unit.
for ip in ips.values():
    low = {key: bits["low"] for key, bits in ip["counters"]["id"].items() if bits}
    events = [
        (ip["title"], group["title"], source["name"], event["name"], event["doc"], event["note"] or "",
         event["code"] << low["code"] | source["id"] << low.get("source", 0))
        for group in ip["groups"] for event in group["events"]
        for source in group["sources"] or [{"name": "", "id": 0}]
    ]
    there = rows(ip, "events", "ip_title", "group_title", "source", "event", "doc", "note", "id")
    assert [(*row, int(number, 16)) for *row, number in there] == events, ip["name"]
    parts = []
    for unit in [unit for unit in ip["units"] if unit["pages"]] or [None]:
        pages = {page["page"]: page["offset"] for page in unit["pages"]} if unit else {}
        for register in ip["registers"]:
            if unit and register["only"] and unit["name"] not in register["only"]:
                continue
            place = register["location"].get("memory")
            offset = f"0x{place['offset'] + pages.get(place['page'], 0):X}" if place else ""
            of_register = [(of["bits"], of["name"], of["access"], of["doc"], of["only"]) for of in register["fields"]]
            of_register += [(of["bits"], "", of["reserved"], "", []) for of in register["reserved"]]
            of_register.sort(key=lambda part: -part[0]["high"])
            assert sum(bits["high"] - bits["low"] + 1 for bits, *_ in of_register) == register["width"]
            for bits, *part, only in of_register:
                units = unit["name"] if unit else "; ".join(register["only"] + only)
                parts.append((units, register["name"], offset, str(bits["high"]), str(bits["low"]), *part))
    there = rows(ip, "registers", "units", "register", "offset", "high", "low", "field", "access", "doc")
    assert there == parts, ip["name"]
print(f"{len(ips)} IPs in CSV")

# For each kind of access that a field has in JSON: the access in SVD, and the effect of writing 1.
ACCESS = {
    "rw": ("read-write", None),
    "ro": ("read-only", None),
    "wo": ("write-only", None),
    "w1": ("write-only", "oneToSet"),
    "w1c": ("read-write", "oneToClear"),
    "w1s": ("read-write", "oneToSet"),
}


def wanted(ip, unit):
    """The fields of all 32-bit words, by address from the base: lowest bit, width, access and named values."""
    pages = {page["page"]: page["offset"] for page in unit["pages"]} if unit else {}
    has = lambda of, key, one: not of[key] or one is None or one in of[key]
    words = {}
    for register in ip["registers"]:
        if not has(register, "only", unit and unit["name"]):
            continue
        place = register["location"]["memory"]
        for n in range(place["count"]):
            start = place["offset"] + pages.get(place["page"], 0) + n * place["stride"]
            words[start] = {}
            for field in register["fields"]:
                if has(field, "only", unit and unit["name"]) and has(field, "elements", n):
                    word, low = divmod(field["bits"]["low"], 32)
                    width = field["bits"]["high"] - field["bits"]["low"] + 1
                    values = {value["name"]: (value["value"], value["doc"]) for value in field["values"]}
                    found = (low, width, *ACCESS[field["access"]], values)
                    words.setdefault(start + 4 * word, {})[field["name"]] = found
    return words


def fields_there(register):
    """The same of a register in SVD."""
    for field in register.get_fields():
        all_values = [value for values in field.enumerated_values or [] for value in values.enumerated_values]
        values = {value.name: (value.value, value.description) for value in all_values}
        effect = field.modified_write_values
        access = (field.access.value, effect.value if effect else None)
        yield field.name, (field.bit_offset, field.bit_width, *access, values)


for file in files:
    device = SVDParser.for_xml_file(file).get_device(xml_validation=False)
    for peripheral in device.peripherals:
        group = peripheral.group_name
        ip = next(ip for name, ip in ips.items() if name.upper().replace("-", "_") == group)
        units = [unit for unit in ip["units"] if unit["pages"]]
        unit = next((unit for unit in units if unit["title"] in peripheral.description), None)
        there = {register.address_offset: dict(fields_there(register)) for register in peripheral.get_registers()}
        assert there == wanted(ip, unit), (file, peripheral.name)
        print(f"{os.path.basename(file)}: {peripheral.name}, {len(there)} registers")
