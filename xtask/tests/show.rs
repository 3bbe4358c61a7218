//! The task `show` as people run it.

mod workspace;

use workspace::Workspace;

fn show(ip: &str, name: &str) -> String {
    Workspace::of(ip).ok(&["show", ip, name])
}

#[test]
fn a_register_is_a_picture_and_every_field() {
    let shown = show("demo", "CONTROL");
    let wanted = "\
CONTROL: Control Register
DEMO-1 Example Interconnect, DDI 0001A

  offset 0x000
  32 bits, read and write; after reset 0x80000201
  Rust: control

    31   30:16     15:8     7:4    3      2        1       0
  +----+-------+----------+------+---+---------+-------+--------+
  | 1  |  sbz  | COUNTERS | sbzp | 0 | TRIGGER | RESET | ENABLE |
  +----+-------+----------+------+---+---------+-------+--------+

  15:8  COUNTERS (read only). Number of counters.
     2  TRIGGER (write 1 to set). 1: a trigger is under way. Write 1 to start
        it.
     1  RESET (write 1 to act, reads as 0). Write 1 to clear all counters.
        Source: DDI 0001A 3.2.1; The driver (one source).
     0  ENABLE (read and write). 1: the counters count.

Enables and resets the counters.
Bit 31 has to stay 1.

Source: DDI 0001A 3.2.1.
";
    assert_eq!(shown, wanted);
}

#[test]
fn an_event_has_an_id_for_each_source() {
    let shown = show("demo", "READ_BEAT");
    for line in [
        "READ_BEAT: an event of a slave interface",
        "  Rust: SlaveEvent::ReadBeat",
        "  0x01  S0: Slave interface 0, EVNTBUS bit 1",
        "  0x09  S1: Slave interface 1, EVNTBUS bit 17",
        "A beat of data was transferred.",
        "Code 0x01, counts beats, bit 1 of its source on EVNTBUS, ACE interfaces only.",
        "Source: DDI 0001A 4.1; The reference model.",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}\nis not in\n{shown}");
    }
}

#[test]
fn a_name_is_found_however_it_is_spelt() {
    let registers =
        ["event_select", "EventSelect", "EVENT_SELECT", "EventSelectSpec", "eventselect"];
    let wanted = show("demo", registers[0]);
    assert!(wanted.starts_with("EVENT_SELECT: "), "{wanted}");
    for name in registers.into_iter().chain(["EVENT_SELECT.SOURCE", "0x1000", "0x2000", "8192"]) {
        assert_eq!(show("demo", name), wanted, "{name}");
    }
    let wanted = show("demo", "READ_REQUEST");
    for name in ["read_request", "ReadRequest", "slave:read_request", "SlaveEvent::ReadRequest"] {
        assert_eq!(show("demo", name), wanted, "{name}");
    }
    let of_one = show("demo", "S1:READ_REQUEST");
    assert!(of_one.contains("  0x08  S1") && !of_one.contains("0x00  S0"), "{of_one}");
}

#[test]
fn a_field_that_is_not_called_like_anything_else_shows_its_register() {
    assert_eq!(show("demo", "trigger"), show("demo", "CONTROL"));
    let in_both = show("cores", "COUNT");
    for register in ["CYCLES: ", "COUNT0: ", "COUNT1: "] {
        assert!(in_both.contains(register), "{in_both}");
    }
}

#[test]
fn a_register_and_a_field_are_found_by_the_names_of_the_manual_too() {
    let shown = show("cores", "pmn_control");
    assert!(shown.starts_with("CONTROL: Control Register\n"), "{shown}");
    assert!(shown.contains("\nIn the manual: PMNC, PMN_CONTROL.\n"), "{shown}");
    assert!(shown.contains("Clears all counters.") && shown.contains("CLEAR."), "{shown}");
    for name in ["PMNC", "Pmnc.Clear", "CONTROL.clear", "clear"] {
        assert_eq!(show("cores", name), shown, "{name}");
    }
    let near = Workspace::of("cores").fails(&["show", "cores", "PMN_CONTRL"]);
    assert!(near.contains("`PMN_CONTROL`"), "{near}");
}

#[test]
fn a_number_is_an_offset_or_an_event_id() {
    // Source 1 in bits 4 to 3, code 2: also what is at that offset, which is nothing.
    let shown = show("demo", "0x0A");
    assert!(shown.starts_with("READ_STALL: "), "{shown}");
    assert!(shown.contains("  0x0A  S1") && !shown.contains("S0: "), "{shown}");
    let both = show("demo", "0x10");
    assert!(both.starts_with("MONITOR: ") && both.contains("\n\nLOOKUP: "), "{both}");
    // The last byte of the last element.
    assert!(show("demo", "0x1f").starts_with("MONITOR: "));
    let error = Workspace::new().fails(&["show", "demo", "0x20"]);
    assert!(error.contains("at offset 0x20"), "{error}");
    let shown = show("cores", "0xff");
    assert!(shown.starts_with("CYCLE: ") && shown.contains("of: CORE1, CORE2"), "{shown}");
}

#[test]
fn units_are_told_apart() {
    let both = show("pages", "CLOCK_CYCLE");
    assert!(both.contains("NearEvent::ClockCycle") && both.contains("FarEvent::ClockCycle"));
    let far = show("pages", "far:clock_cycle");
    assert!(far.contains("FarEvent::ClockCycle") && !far.contains("NearEvent"), "{far}");
    let one = show("cores", "PARITY_ERROR");
    assert!(one.contains("Core2Event::ParityError") && !one.contains("Core1Event"), "{one}");
    let wide = show("pages", "EVENTS");
    assert!(
        wide.contains("after reset 0x10000007f in a Near Unit, unknown in a Far\n  Unit\n"),
        "{wide}"
    );
    assert_eq!(show("pages", "events_hi"), wide);
}

#[test]
fn a_metric_has_its_formula_and_what_it_does_not_mean() {
    let wanted = "\
READ_BYTES: a metric, of a slave interface
DEMO-1 Example Interconnect, DDI 0001A

  Rust: metrics::ReadBytes
  in bytes = READ_BEAT * beat_bytes
  beat_bytes: The width of the data bus, in bytes.

Bytes that were read.

Source: DDI 0001A 5.1; The definition of the event (inferred, not confirmed).
";
    for name in ["READ_BYTES", "ReadBytes", "slave:read_bytes"] {
        assert_eq!(show("demo", name), wanted);
    }
    let none = show("demo", "write_bytes");
    assert!(none.starts_with("WRITE_BYTES: cannot be computed, of a slave interface\n"), "{none}");
    assert!(none.contains("No event counts write data [yet].\n"), "{none}");
    let text = Workspace::new().ok(&["show", "demo", "--json", "READ_BYTES"]);
    let shown: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(shown["metrics"][0]["rust"], "ReadBytes");
}

#[test]
fn near_misses_are_suggested() {
    let error = |name| Workspace::new().fails(&["show", "demo", name]);
    assert!(error("contol").contains("has no `contol`; did you mean `CONTROL`?"));
    let several = error("READ_");
    assert!(several.contains("near: `READ_BEAT`, `READ_BYTES`, `READ_REQUEST`"), "{several}");
    assert!(error("zzzzzzzz").contains("cargo xtask export csv demo"));
    assert!(error("").contains("has no ``"));
    assert!(error(&"x".repeat(10_000)).len() < 300);
    assert!(Workspace::new().fails(&["show", "dmeo", "CONTROL"]).contains("did you mean `demo`?"));
}

#[test]
fn json_has_the_same() {
    let text = Workspace::new().ok(&["show", "demo", "--json", "0x10"]);
    let shown: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(shown["ip"], "demo");
    assert_eq!(shown["registers"][0]["name"], "MONITOR");
    assert_eq!(shown["registers"][0]["fields"][0]["bits"], "7:0");
    assert_eq!(shown["registers"][0]["confidence"], "A");
    assert_eq!(shown["events"][0]["name"], "LOOKUP");
    assert_eq!(shown["events"][0]["group"], "global");
    assert_eq!(shown["events"][0]["ids"][0]["source"], "Global");
    assert_eq!(shown["events"][0]["ids"][0]["id"], 0x10);
}
