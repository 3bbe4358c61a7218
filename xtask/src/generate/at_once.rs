//! Work on many things, on all processors.

use std::iter;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

/// What `work` makes of each item, in the order of the items: each processor takes the next that none has taken.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let of_one = || {
        let take = || {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            items.get(nth).map(|item| (nth, item))
        };
        iter::from_fn(take).map(|(nth, item)| (nth, work(item))).collect::<Vec<_>>()
    };
    let processors = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let mut done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..processors).map(|_| scope.spawn(of_one)).collect();
        let of_worker = |worker: ScopedJoinHandle<'_, Vec<_>>| match worker.join() {
            Ok(done) => done,
            Err(panic) => resume_unwind(panic),
        };
        workers.into_iter().flat_map(of_worker).collect()
    });
    done.sort_unstable_by_key(|(nth, _)| *nth);
    done.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_has_the_order_of_the_items() {
        let items: Vec<u32> = (0..1000).collect();
        // The first take longest.
        let made = each(&items, |item| (0..1000 - item).fold(*item, |sum, n| sum ^ n ^ n));
        assert_eq!(made, items);
        assert_eq!(each(&[0; 0], |item| *item), [0; 0]);
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_is_passed_on() {
        each(&[1, 2, 3], |item| assert_ne!(*item, 3, "the third"));
    }
}
