//! Writes a recipe as a C99 header.

use super::{Check, Language, Parts, Recipe, Written};
use crate::prompt::recipe::program::{At, Phase, Step};

pub struct C;

impl Language for C {
    fn comment(&self) -> &'static str {
        "// "
    }

    fn file(&self, recipe: &Recipe, text: &Parts) -> String {
        let Parts { head, start, read, stop } = text;
        let names = &recipe.program.counts;
        let count = names.len();
        let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let names = names.join(", ");
        let single = single_reads(recipe);
        format!(
            "{head}//
//   const char *problem = pmu_start();      checks the device, and starts the counters
//   uint32_t now = pmu_read(0);             one counter while it runs, without a check
//   problem = pmu_snapshot(counts);         all counters while they run
//   problem = pmu_stop(counts);             stops the counters; the final counts
//
// A function returns NULL, or the text of an error. If pmu_start fails, nothing counts; if another
// function fails, the counts are invalid.
//
// Each access is one load or store of 32 bits at a physical address. Code that runs with an MMU
// enabled, or needs another way to reach the registers, defines PMU_LOAD, PMU_STORE and PMU_BARRIER
// first.
#ifndef PMU_RECIPE_H
#define PMU_RECIPE_H

#include <stddef.h>
#include <stdint.h>

#ifndef PMU_LOAD
#define PMU_LOAD(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define PMU_STORE(address, value) (*(volatile uint32_t *)(uintptr_t)(address) = (value))
#endif

// Waits until earlier accesses are complete, before later code runs.
#ifndef PMU_BARRIER
#if defined(__aarch64__) || (defined(__ARM_ARCH) && __ARM_ARCH >= 7)
#define PMU_BARRIER() __asm__ volatile(\"dsb sy\\n\\tisb\" ::: \"memory\")
#else
#define PMU_BARRIER() __sync_synchronize()
#endif
#endif

#define PMU_COUNTS {count}

static const char *const pmu_names[PMU_COUNTS] = {{ {names} }};

static inline const char *pmu_start(void)
{{
{start}    return NULL;
}}

static inline uint32_t pmu_read(unsigned counter)
{{
    switch (counter) {{
{single}    default:
        return 0;
    }}
}}

static inline const char *pmu_snapshot(uint32_t counts[PMU_COUNTS])
{{
    const char *problem = NULL;

{read}    return problem;
}}

static inline const char *pmu_stop(uint32_t counts[PMU_COUNTS])
{{
    const char *problem = NULL;

{stop}    return problem;
}}

#endif
"
        )
    }

    fn read(&self, variable: &str, register: &At) -> String {
        format!("const uint32_t {variable} = PMU_LOAD({}u);", register.hex())
    }

    fn write(&self, register: &At, value: &Written) -> String {
        format!("PMU_STORE({}u, {});", register.hex(), value.expression(str::to_owned, "u"))
    }

    fn expect(&self, check: &Check) -> String {
        let condition = check.condition(str::to_owned, "u");
        let message = format!("{}: expected {}: {}", check.register, check.expected, check.reason);
        let act = if check.ends { "return" } else { "problem =" };
        format!("if (!({condition}))\n        {act} \"{message}\";")
    }

    fn count(&self, nth: usize, _: &str, variable: &str) -> String {
        format!("counts[{nth}] = {variable};")
    }

    fn barrier(&self) -> Option<String> {
        Some("PMU_BARRIER();".to_owned())
    }
}

/// Cases of `pmu_read`: the registers from which `pmu_snapshot` reads the counts.
fn single_reads(recipe: &Recipe) -> String {
    let mut text = String::new();
    for step in recipe.program.phase(Phase::Read) {
        if let Step::Count { nth, value, .. } = step {
            let address = recipe.program.source(*value).map_or_else(String::new, At::hex);
            text += &format!("    case {nth}:\n        return PMU_LOAD({address}u);\n");
        }
    }
    text
}
