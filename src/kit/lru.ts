/** A map that forgets what was asked for longest ago once it holds more than `most` entries. */
export interface Lru<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): Value;
  delete(key: Key): void;
}

/** Makes such a map. @param most how many entries it keeps */
export function createLru<Key, Value>(most: number): Lru<Key, Value> {
  const entries = new Map<Key, Value>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      for (const oldest of entries.keys()) {
        if (entries.size <= most) break;
        entries.delete(oldest);
      }
      return value;
    },
    delete: (key) => void entries.delete(key),
  };
}
