/** Things in memory by their names, a bounded number of bytes of them, for what never changes once it was loaded. */
export interface ByteLru<T> {
  /** Returns what lies there under this name; it counts as asked for now. */
  find(name: string): T | undefined;
  /** The same, or what `load` brings: once for everybody who asks meanwhile, and nothing is kept of a failure. */
  take(name: string, load: () => Promise<T>): Promise<T>;
  /** What the cache holds. */
  sizeBytes(): number;
}

/** Makes an empty cache. @param mostBytes what it may hold by `weigh`; what was asked for longest ago goes first */
export function createByteLru<T>(mostBytes: number, weigh: (thing: T) => number): ByteLru<T> {
  const held = new Map<string, T>();
  const coming = new Map<string, Promise<T>>();
  let heldBytes = 0;

  const drop = (name: string, thing: T) => {
    if (held.delete(name)) heldBytes -= weigh(thing);
  };
  const put = (name: string, thing: T) => {
    held.set(name, thing);
    heldBytes += weigh(thing);
    for (const [oldest, old] of held) {
      if (heldBytes <= mostBytes) break;
      drop(oldest, old);
    }
  };
  const find = (name: string) => {
    const known = held.get(name);
    if (known === undefined) return undefined;
    held.delete(name);
    held.set(name, known);
    return known;
  };
  const bring = async (name: string, load: () => Promise<T>) => {
    const thing = await load();
    put(name, thing);
    return thing;
  };
  return {
    find,
    async take(name, load) {
      const known = find(name);
      if (known !== undefined) return known;
      const loading = coming.get(name) ?? bring(name, load).finally(() => coming.delete(name));
      coming.set(name, loading);
      return loading;
    },
    sizeBytes: () => heldBytes,
  };
}
