//! Language of platform specs: `specs/platforms/<name>.yaml`.

use super::model::{Fact, Origin, origin};
use super::scalar::{Address, Cpus, Id};
use crate::legend::LegendEntry;
use crate::read::{At, Checked, List};
use crate::scalar::{Bits, Confidence, Decimal, Hex, Name, Text};
use crate::{mapping, words};

/// Declares a mapping with a source, and the type of its value with an [`Origin`].
macro_rules! facts {
    (
        $(#[doc = $doc:literal])*
        $what:literal => $Spec:ident, $Name:ident {
            $( $(#[doc = $key_doc:literal])* $kind:ident $key:ident $(as $text:literal)? : $Type:ty, )*
        }
    ) => {
        mapping! {
            $(#[doc = $doc])*
            $what => $Spec with source {
                $( $(#[doc = $key_doc])* $kind $key $(as $text)? : $Type, )*
            }
        }

        $(#[doc = $doc])*
        #[derive(Clone, Debug)]
        pub struct $Name {
            $( $(#[doc = $key_doc])* pub $key: <mapping!(@field $kind $Type) as Checked>::As, )*
            /// Origin of the fact.
            pub origin: Origin,
        }

        impl Checked for $Spec {
            type As = $Name;

            fn checked(&self) -> $Name {
                $Name { $( $key: self.$key.checked(), )* origin: origin!(self) }
            }
        }
    };
}

/// Declares mappings of a single value with its source.
macro_rules! values {
    ($( $(#[doc = $doc:literal])* $what:literal => $Fact:ident { $key:ident: $Type:ty } )*) => { $(
        mapping! {
            $(#[doc = $doc])*
            $what => $Fact with source {
                required $key: At<$Type>,
            }
        }

        impl Checked for $Fact {
            type As = Fact<<$Type as Checked>::As>;

            fn checked(&self) -> Self::As {
                Fact { value: self.$key.checked(), origin: origin!(self) }
            }
        }
    )* };
}

values! {
    /// Name of the IP: `cci400`.
    "an IP with its source" => IpFact { value: Text }
    /// Name of the unit or revision: `r1`.
    "a unit with its source" => UnitFact { value: Name }
    /// Base address of the registers.
    "a base with its source" => BaseFact { value: Address }
    /// Size of the address region, in bytes, that the system assigns to the device at `base`.
    "a length with its source" => LengthFact { value: Address }
    /// Name of the PMU in `/sys/bus/event_source/devices`.
    "a name under Linux with its source" => LinuxFact { value: Text }
    /// Width of an interface's data bus.
    "a number of bytes with its source" => BytesFact { value: Decimal }
    /// A fact written as a sentence.
    "a note" => Note { text: Text }
}

mapping! {
    "a spec of a platform" => Platform {
        /// Name of the platform in the command, and of the file without `.yaml`.
        required platform: At<Id>,
        required title: At<Text>,
        required vendor: At<Text>,
        /// Further names in the command, such as names of the chip or of other boards.
        list also: At<Id>,
        /// Documents and programs that `from` refers to.
        list legend: LegendEntry,
        /// Facts about the whole platform.
        list notes: Note,
        /// PMUs of the platform.
        required instances: List<Instance>,
        /// Facts that were searched for and not found, in one sentence each.
        list wanted: At<Text>,
    }
}

mapping! {
    /// An IP in the system.
    "an instance" => Instance {
        /// Name in the command.
        required name: At<Id>,
        /// Purpose of the PMU, if the name does not show it.
        optional title: At<Text>,
        required ip: IpFact,
        optional unit: UnitFact,
        /// Product name of the cores, if `ip` is an architecture or has several products:
        /// `Cortex-A57`.
        optional core: At<Text>,
        optional cpus: CpusSpec,
        optional base: BaseFact,
        optional length: LengthFact,
        optional interrupts: InterruptsSpec,
        optional linux: LinuxFact,
        optional device_tree: DeviceTreeSpec,
        optional clock: ClockSpec,
        list interfaces: InterfaceSpec,
        list streams: StreamSpec,
        list switches: SwitchSpec,
        list faults: FaultSpec,
        list notes: Note,
        /// Further instances of the same kind. Omitted keys, except the title, have the values of the first instance.
        list copies: InstanceCopy,
    }
}

mapping! {
    /// A further instance of the same kind. A confidence and source given here apply to the base and interrupts of this
    /// copy; without them, the first instance's confidence and source apply.
    "a copy" => InstanceCopy with source {
        required name: At<Id>,
        optional title: At<Text>,
        optional base: At<Address>,
        list interrupts: At<Decimal>,
        optional linux: At<Text>,
        list streams: StreamSpec,
    }
}

words! {
    /// Kind of interrupt numbers.
    "a kind of interrupt (spi, ppi, intid, other)" => Controller {
        /// Shared peripheral interrupts of a GIC; INTID = number + 32.
        "spi" => Spi,
        /// Private peripheral interrupts of a GIC, which each core has; INTID = number + 16.
        "ppi" => Ppi,
        /// INTIDs of a GIC.
        "intid" => Intid,
        /// Inputs of another interrupt controller.
        "other" => Other,
    }
}

words! {
    /// Connection of overflow outputs to the interrupt controller.
    "a kind of wiring (combined, each)" => Wiring {
        /// All outputs share one interrupt.
        "combined" => Combined,
        /// Each output has its own interrupt: the cycle counter first if there is one, then counters 0, 1, ...
        "each" => Each,
    }
}

words! {
    /// Signal level or edge that makes an interrupt pending.
    "a trigger (level_high, level_low, edge_rising)" => Trigger {
        /// The signal is HIGH.
        "level_high" => LevelHigh,
        /// The signal is LOW.
        "level_low" => LevelLow,
        /// Rising edge of the signal.
        "edge_rising" => EdgeRising,
    }
}

facts! {
    /// CPUs that the instance counts on.
    "CPUs with their source" => CpusSpec, CpuList {
        /// Numbers of the CPUs, by the order of the core nodes in the device trees of Linux.
        required numbers as "value": At<Cpus>,
        /// Labels of the core nodes, in the same order as the numbers.
        list labels: At<Name>,
    }
}

facts! {
    /// Overflow interrupts of an instance.
    "interrupts" => InterruptsSpec, Interrupts {
        required controller: At<Controller>,
        /// Name of the controller, if it is not a GIC.
        optional of: At<Text>,
        required numbers: List<At<Decimal>>,
        /// CPUs that the device tree assigns to the interrupts: for shared interrupts, one for each number, in order; for
        /// a private interrupt, the CPUs of its partition.
        optional affinity: At<Cpus>,
        /// Whether each CPU has its own interrupt of this number. This key is only for the controllers `other` and
        /// `intid`, because `spi` and `ppi` determine the answer.
        flag per_cpu: bool,
        /// Connection of the outputs, if known.
        optional wiring: At<Wiring>,
        optional trigger: At<Trigger>,
        optional note: At<Text>,
    }
}

words! {
    /// State of the PMU's node in the device trees of Linux.
    "a state of a node (enabled, disabled, incomplete, absent)" => NodeState {
        /// The driver binds to the node.
        "enabled" => Enabled,
        /// A board has to enable the node.
        "disabled" => Disabled,
        /// The driver does not bind, or lacks interrupts for counters.
        "incomplete" => Incomplete,
        /// The device trees have no node.
        "absent" => Absent,
    }
}

facts! {
    /// Node of the PMU in device trees.
    "a device-tree node" => DeviceTreeSpec, DeviceTree {
        required state: At<NodeState>,
        /// Paths or names of the node and of the inner node.
        optional node: At<Text>,
        /// Label of the outer node in the board's device tree: `cci` for `&cci`.
        optional label: At<Name>,
        /// A sentence about what has to be added for a board.
        optional missing: At<Text>,
    }
}

facts! {
    /// Clock of the IP.
    "a clock" => ClockSpec, Clock {
        optional name: At<Text>,
        optional hertz: At<Decimal>,
        optional note: At<Text>,
    }
}

facts! {
    /// Block that is connected to an interface of an interconnect.
    "an interface" => InterfaceSpec, Interface {
        /// Source of events in the IP: `S3`.
        required port as "source": At<Name>,
        /// Name in the command: `apu`.
        required name: At<Id>,
        required title: At<Text>,
        /// Chip versions for which this is true; omitted if it is true for all.
        optional condition: At<Text>,
        optional beat_bytes: BytesFact,
    }
}

facts! {
    /// StreamID of transactions that the instance translates.
    "a stream" => StreamSpec, Stream {
        required id: At<Hex>,
        /// Name in the command: `gmac0`.
        required name: At<Id>,
        required title: At<Text>,
    }
}

words! {
    /// Software that may change a switch.
    "a writer (secure, privileged, firmware_menu, unknown)" => Writer {
        /// Secure software only.
        "secure" => Secure,
        /// Secure software or an operating system.
        "privileged" => Privileged,
        /// A user, in the setup menu of the firmware.
        "firmware_menu" => FirmwareMenu,
        /// Unknown.
        "unknown" => Unknown,
    }
}

facts! {
    /// A switch to set before counting.
    "a switch" => SwitchSpec, Switch {
        /// Name of the signal or setting.
        required name: At<Name>,
        /// Effect of the switch.
        required doc: At<Text>,
        /// Name of the register with the switch.
        optional register: At<Text>,
        optional address: At<Address>,
        /// Bits of the switch.
        optional bits: At<Bits>,
        /// Value of these bits that enables counting.
        optional on: At<Hex>,
        /// Value of these bits after reset.
        optional reset: At<Hex>,
        required written_by: At<Writer>,
        /// Result of an access by other software.
        optional seen_from_elsewhere: At<Text>,
        /// Ways to set the switch, and ways that fail.
        list ways: WaySpec,
    }
}

words! {
    /// Stage at which a switch can be set.
    "a stage (boot_loader, trusted_firmware, u_boot, init_data, debugger, firmware_menu, kernel)" => Stage {
        /// The first boot loader of the vendor.
        "boot_loader" => BootLoader,
        /// Trusted Firmware-A.
        "trusted_firmware" => TrustedFirmware,
        /// U-Boot or its SPL.
        "u_boot" => UBoot,
        /// Register values in the boot image, which the boot ROM writes.
        "init_data" => InitData,
        /// A debugger, at any time.
        "debugger" => Debugger,
        /// Setup menu of the firmware.
        "firmware_menu" => FirmwareMenu,
        /// The operating system.
        "kernel" => Kernel,
    }
}

facts! {
    /// A way to set a switch.
    "a way" => WaySpec, Way {
        required stage: At<Stage>,
        required doc: At<Text>,
        /// Whether this way fails.
        flag fails: bool,
    }
}

mapping! {
    /// A page address that is wrong in firmware or a device tree.
    "an announced page" => Announced {
        required page: At<Name>,
        required offset: At<Hex>,
    }
}

/// The page, and the wrong offset of the page from the base.
impl Checked for Announced {
    type As = (String, u32);

    fn checked(&self) -> Self::As {
        (self.page.checked(), self.offset.checked())
    }
}

words! {
    /// Symptom of a fault that software can observe.
    "a symptom (no_device, some_cpus, not_sampled, not_supported, zero, mixed, stops)" => Symptom {
        /// The kernel has no such PMU.
        "no_device" => NoDevice,
        /// The kernel counts on only some of the CPUs.
        "some_cpus" => SomeCpus,
        /// The kernel counts, but refuses to sample.
        "not_sampled" => NotSampled,
        /// The kernel refuses to count.
        "not_supported" => NotSupported,
        /// Counts stay zero.
        "zero" => Zero,
        /// Cores of different kinds share one count, or one event code.
        "mixed" => Mixed,
        /// The machine stops.
        "stops" => Stops,
    }
}

facts! {
    /// A known fault of the platform, or of software that comes with it.
    "a fault" => FaultSpec, Fault {
        required name: At<Name>,
        /// Description of the fault.
        required doc: At<Text>,
        /// Symptom for a user.
        required effect: At<Text>,
        /// Fix.
        optional fix: At<Text>,
        /// Symptom that software can observe.
        optional symptom: At<Symptom>,
        /// Page offset that is wrong in firmware or a device tree; absent for other faults.
        optional announced: Announced,
    }
}
