//! Two buses to one device: order of stores, errors, and the whole region.

use super::*;
use arm_pmu_sim::{PageOrder, Response};

const ORDERS: [PageOrder; 3] = [PageOrder::Issued, PageOrder::Page0First, PageOrder::Page1First];

#[test]
fn a_load_drains_its_page() {
    for order in ORDERS {
        each(|device| {
            device.prepare();
            device.set_page_order(order);
            let (page0, page1) = (device.page0(), device.page1());
            page0.write(CR, 0);
            page1.write(evcntr(0), 5);
            assert_eq!(page1.read(evcntr(0)), 5);
            let arrived = device.get(0, CR) == 0;
            assert_eq!(arrived, order == PageOrder::Issued);
            page1.synchronize();
            assert_eq!(device.get(0, CR), 0, "one core, so all accesses are complete");
        });
    }
}

#[test]
fn stores_arrive_in_the_configured_order() {
    // Number of stores, of four, that have arrived after two accesses reached the device.
    for (order, expected) in ORDERS.into_iter().zip([[1, 0, 2, 0], [1, 1, 0, 0], [0, 0, 2, 2]]) {
        each(|device| {
            device.prepare();
            device.set(0, CR, 0);
            device.set(0, IRQ_CTRL, 0);
            device.set_page_order(order);
            let (page0, page1) = (device.page0(), device.page1());
            page0.write(CR, 1);
            page1.write(evcntr(0), 2);
            page0.write(IRQ_CTRL, 1);
            page1.write(evcntr(1), 2);
            device.respond_after(2, Response::Zero);
            page0.synchronize();
            let counts = device.counts();
            let arrived = [device.get(0, CR), device.get(0, IRQ_CTRL), counts[0], counts[1]];
            assert_eq!(arrived, expected, "{order:?}");
        });
    }
}

/// Returns the words that have arrived, among those that three buses to page 0 wrote.
fn written(device: &Mmu600, buses: [&MemoryBus<'_, AnyOffset>; 3]) -> impl Fn() -> [u32; 3] {
    let words = [CR, SMR0, IRQ_CTRL];
    for (bus, word) in buses.into_iter().zip(words) {
        device.set(0, word, 0);
        bus.write(word, 1);
    }
    move || words.map(|word| device.get(0, word))
}

#[test]
fn a_bus_to_each_page_makes_a_core() {
    each(|device| {
        let (first0, second0, other0) = (device.page0(), device.page0(), device.non_secure_page0());
        let (first1, second1) = (device.page1::<AnyOffset>(), device.page1::<AnyOffset>());
        let buses: [&MemoryBus<'_, AnyOffset>; 3] = [&first0, &second0, &other0];
        let arrived = written(device, buses);
        device.page1::<AnyOffset>().synchronize();
        assert_eq!(arrived(), [0, 0, 0], "a third without a partner");
        first1.synchronize();
        assert_eq!(arrived(), [1, 0, 0]);
        second1.synchronize();
        assert_eq!(arrived(), [1, 1, 0]);
        device.non_secure_page1::<AnyOffset>().synchronize();
        assert_eq!(arrived(), [1, 1, 1]);
    });
}

#[test]
fn dropped_buses_are_not_paired() {
    each(|device| {
        // Leftovers of a test: a bus that was dropped early, and half of a driver.
        drop(device.page0::<AnyOffset>());
        let (first1, first0) = (device.page1::<AnyOffset>(), device.page0());
        let (second0, second1) = (device.page0(), device.page1::<AnyOffset>());
        let other0 = device.non_secure_page0();
        let arrived = written(device, [&first0, &second0, &other0]);
        first1.synchronize();
        assert_eq!(arrived(), [1, 0, 0]);
        drop(first1);
        let arrived = written(device, [&first0, &second0, &other0]);
        second1.synchronize();
        assert_eq!(arrived(), [0, 1, 0]);
        device.page1::<AnyOffset>().synchronize();
        assert_eq!(arrived(), [1, 1, 0], "takes the place of the one that went");
    });
}

#[test]
fn posted_stores_arrive_in_order_when_posting_ends() {
    each(|device| {
        device.set(0, CR, 0);
        device.set(1, evcntr(0), 0);
        device.set_page_order(PageOrder::Page1First);
        let (page0, page1) = (device.page0(), device.page1());
        page0.write(CR, 1);
        page1.write(evcntr(0), 2);
        device.respond_after(1, Response::Zero);
        device.set_posted_stores(false);
        assert_eq!((device.get(0, CR), device.get(1, evcntr(0))), (0, 2));
    });
}

#[test]
fn a_two_page_region_is_another_core() {
    let (tcu, tbu) = (Mmu600::tcu(), Mmu600::tbu());
    let (tcu_bus, tbu_bus) = (tcu.region(), tbu.region());
    let regions: [(&Mmu600, &MemoryBus<'_, AnyOffset>, usize); 2] =
        [(&tcu, &tcu_bus, 0x22000), (&tbu, &tbu_bus, 0x12000)];
    for (device, region, page1) in regions {
        assert_eq!((device.at(0, 0x10), device.at(1, 0x10)), (0x2010, page1 + 0x10));
        region.write(0x2000 + evtyper(0), 0x3);
        region.write(page1 + evcntr(3), 0x4);
        region.synchronize();
        assert_eq!((device.get(0, evtyper(0)), device.get(1, evcntr(3))), (0x3, 0x4));
        let page0 = device.page0();
        page0.write(evtyper(0), 0x5);
        region.synchronize();
        assert_eq!(region.read(0x2000 + evtyper(0)), 0x3);
    }
    let shut_out = tcu.non_secure_region();
    assert_eq!((shut_out.read(0x2000 + CFGR), shut_out.read(0x2000 + SCR)), (0x00D0_1F03, 0));
}

#[test]
fn a_bus_remembers_its_own_error() {
    each(|device| {
        let (page0, page1) = (device.page0(), device.page1());
        device.set_response(Response::Error);
        assert_eq!(page0.read(CFGR), 0);
        assert!(page0.error().is_some() && page1.error().is_none());
        device.set_response(Response::Registers);
        page1.write(evcntr(0), 3);
        assert_eq!((page0.read(CFGR), page1.read(evcntr(0))), (0, 3));
        page0.write(CR, 1);
        page1.synchronize();
        assert_eq!(device.get(0, CR), 0);
    });
}
