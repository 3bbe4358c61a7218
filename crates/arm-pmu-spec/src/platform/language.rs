//! `specs/platforms/<name>.yaml`: the language of platform specs.

use super::checked::origin;
use super::model::{Fact, Origin};
use super::scalar::{Address, Id};
use crate::legend::LegendEntry;
use crate::read::{At, Checked, List};
use crate::scalar::{Bits, Confidence, Decimal, Hex, Name, Text};
use crate::{mapping, words};

/// Declares a mapping with a source, and the checked type of what it says, with its [`Origin`].
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

/// A single value with its source.
macro_rules! fact {
    ($(#[doc = $doc:literal])* $what:literal => $Fact:ident : $Type:ty) => {
        mapping! {
            $(#[doc = $doc])*
            $what => $Fact with source {
                required value: At<$Type>,
            }
        }

        impl Checked for $Fact {
            type As = Fact<<$Type as Checked>::As>;

            fn checked(&self) -> Self::As {
                Fact { value: self.value.checked(), origin: origin!(self) }
            }
        }
    };
}

fact! {
    /// The IP: `cci400`.
    "an IP with its source" => IpFact: Text
}
fact! {
    /// The unit or revision: `r1`.
    "a unit with its source" => UnitFact: Name
}
fact! {
    /// The address of the registers.
    "a base with its source" => BaseFact: Address
}
fact! {
    /// The bytes that the system decodes from the base.
    "a length with its source" => LengthFact: Address
}
fact! {
    /// The name of the PMU under `/sys/bus/event_source/devices`.
    "a name under Linux with its source" => LinuxFact: Text
}
fact! {
    /// The width of the data bus of an interface.
    "a number of bytes with its source" => BytesFact: Decimal
}

mapping! {
    "a spec of a platform" => Platform {
        /// The name of the file, without `.yaml`, and of the platform in the command.
        required platform: At<Id>,
        required title: At<Text>,
        required vendor: At<Text>,
        /// The documents and programs that `from` can name.
        list legend: LegendEntry,
        /// Facts about the whole platform.
        list notes: Note,
        /// The PMUs.
        required instances: List<Instance>,
        /// Facts that were searched for and not found, one sentence each.
        list wanted: At<Text>,
    }
}

mapping! {
    /// A fact in words.
    "a note" => Note with source {
        required text: At<Text>,
    }
}

impl Checked for Note {
    type As = Fact<String>;

    fn checked(&self) -> Self::As {
        Fact { value: self.text.checked(), origin: origin!(self) }
    }
}

mapping! {
    /// An IP in the system.
    "an instance" => Instance {
        /// The name in the command.
        required name: At<Id>,
        /// The purpose of the PMU, if its name does not show it.
        optional title: At<Text>,
        required ip: IpFact,
        optional unit: UnitFact,
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
        /// More instances of the same kind; omitted keys, except the title, are as above.
        list copies: InstanceCopy,
    }
}

mapping! {
    /// Another instance of the same kind. Its confidence and source apply to the base and the
    /// interrupts; by default, they are the first instance's.
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
    /// Meaning of the interrupt numbers.
    "a kind of interrupt (spi, ppi, intid, other)" => Controller {
        /// Shared peripheral interrupts of a GIC; INTID = number + 32.
        "spi" => Spi,
        /// Private peripheral interrupts of a GIC, one of each core; INTID = number + 16.
        "ppi" => Ppi,
        /// INTIDs of a GIC.
        "intid" => Intid,
        /// Inputs of another interrupt controller.
        "other" => Other,
    }
}

words! {
    /// Connection of the overflow outputs to the interrupt controller.
    "a kind of wiring (combined, each)" => Wiring {
        /// All on one interrupt.
        "combined" => Combined,
        /// Each on its own, the cycle counter first if there is one, then counters 0, 1, ...
        "each" => Each,
    }
}

words! {
    /// When an interrupt is pending.
    "a trigger (level_high, level_low, edge_rising)" => Trigger {
        "level_high" => LevelHigh,
        "level_low" => LevelLow,
        "edge_rising" => EdgeRising,
    }
}

facts! {
    /// The interrupts of an instance.
    "interrupts" => InterruptsSpec, Interrupts {
        required controller: At<Controller>,
        /// The name of the controller, if it is no GIC.
        optional of: At<Text>,
        required numbers: List<At<Decimal>>,
        /// Left out if it is not known.
        optional wiring: At<Wiring>,
        optional trigger: At<Trigger>,
        optional note: At<Text>,
    }
}

words! {
    /// Whether the device trees that come with Linux have a node for the PMU.
    "a state of a node (enabled, disabled, incomplete, absent)" => NodeState {
        /// The driver binds to it.
        "enabled" => Enabled,
        /// A board has to enable it.
        "disabled" => Disabled,
        /// The driver does not bind, or not to all counters.
        "incomplete" => Incomplete,
        /// There is none.
        "absent" => Absent,
    }
}

facts! {
    /// The node of the PMU in device trees.
    "a device-tree node" => DeviceTreeSpec, DeviceTree {
        required state: At<NodeState>,
        /// The path or the names of the node and of the one inside.
        optional node: At<Text>,
        /// The label of the outer node in the board's device tree: `cci` for `&cci`.
        optional label: At<Name>,
        /// Additions that a board needs, as a sentence.
        optional missing: At<Text>,
    }
}

facts! {
    /// The clock of the IP.
    "a clock" => ClockSpec, Clock {
        optional name: At<Text>,
        optional hertz: At<Decimal>,
        optional note: At<Text>,
    }
}

facts! {
    /// The block connected to an interface of an interconnect.
    "an interface" => InterfaceSpec, Interface {
        /// The source of events in the IP: `S3`.
        required port as "source": At<Name>,
        /// The name in the command: `apu`.
        required name: At<Id>,
        required title: At<Text>,
        /// The silicon that this is true for, if not all.
        optional condition: At<Text>,
        optional beat_bytes: BytesFact,
    }
}

facts! {
    /// A StreamID whose transactions an instance translates.
    "a stream" => StreamSpec, Stream {
        required id: At<Hex>,
        /// The name in the command: `gmac0`.
        required name: At<Id>,
        required title: At<Text>,
    }
}

words! {
    /// The software that may change a switch.
    "a writer (secure, privileged, firmware_menu, unknown)" => Writer {
        /// Secure software only.
        "secure" => Secure,
        /// An operating system as well.
        "privileged" => Privileged,
        /// A person, in the setup of the firmware.
        "firmware_menu" => FirmwareMenu,
        /// It was not found.
        "unknown" => Unknown,
    }
}

facts! {
    /// Switches to set before counting.
    "a switch" => SwitchSpec, Switch {
        /// The signal, or the name of the setting.
        required name: At<Name>,
        /// What it enables.
        required doc: At<Text>,
        /// The name of the register that drives it.
        optional register: At<Text>,
        optional address: At<Address>,
        /// The bits of the register.
        optional bits: At<Bits>,
        /// The value of these bits that lets counters count.
        optional on: At<Hex>,
        /// Their value after reset.
        optional reset: At<Hex>,
        required written_by: At<Writer>,
        /// Result of an access to the register by other software.
        optional seen_from_elsewhere: At<Text>,
        /// Ways to set it, and ways that failed.
        list ways: WaySpec,
    }
}

words! {
    /// The stage at which a switch can be set.
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
        /// The setup of the firmware.
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
        /// This does not work.
        flag fails: bool,
    }
}

mapping! {
    /// Wrong address of a page in firmware or a device tree.
    "an announced page" => Announced {
        required page: At<Name>,
        required offset: At<Hex>,
    }
}

/// The page, and the wrong offset from the base in the announcement.
impl Checked for Announced {
    type As = (String, u32);

    fn checked(&self) -> Self::As {
        (self.page.checked(), self.offset.checked())
    }
}

facts! {
    /// A known fault of the platform, or of software that comes with it.
    "a fault" => FaultSpec, Fault {
        required name: At<Name>,
        /// What is wrong.
        required doc: At<Text>,
        /// Symptom for a user.
        required effect: At<Text>,
        /// Remedy.
        optional fix: At<Text>,
        /// If a page is announced at a wrong offset from the base.
        optional announced: Announced,
    }
}
