//! Maps and sets by ids and keys. Their hashes are seeded at random, like the standard library's, and take a tenth of the time for
//! what is short.

use foldhash::fast::RandomState;

pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;
pub type HashSet<T> = std::collections::HashSet<T, RandomState>;
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, RandomState>;
