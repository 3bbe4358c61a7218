//! The recordings of the real `perf`.
