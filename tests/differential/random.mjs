/** Random numbers that a seed repeats (mulberry32). */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, not including, 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count) {
    return Math.floor(this.next() * count);
  }

  chance(probability) {
    return this.next() < probability;
  }

  one(list) {
    return list[this.below(list.length)];
  }

  /** Returns up to `most` values that `make` makes. */
  list(most, make) {
    return Array.from({ length: this.below(most + 1) }, () => make(this));
  }

  /** Returns an object in which each optional member is present with this probability; members are functions. */
  some(members, probability = 0.3) {
    const there = Object.entries(members).filter(() => this.chance(probability));
    return Object.fromEntries(there.map(([name, make]) => [name, make(this)]));
  }
}
