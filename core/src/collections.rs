//! Maps and sets with a fast hash. It is seeded at random, like the standard library's, and takes a tenth of the time for short
//! keys.

use foldhash::fast::RandomState;

pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;
pub type HashSet<T> = std::collections::HashSet<T, RandomState>;
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, RandomState>;
