/** Places that calls hold while they cost something. */
export interface Places {
  /** Returns whether there is none for them, which costs less to know than to be refused one. */
  isFull(keys?: Keys): boolean;
  /**
   * Takes a place.
   * @param keys who takes it, by kind: `{ network, account, link }`; a kind without a limit counts for nothing
   * @returns how to give it back, which may be said more than once; undefined when there is none for them
   */
  take(keys?: Keys): (() => void) | undefined;
}

/** Who wants a place, by kind. */
type Keys = Readonly<Record<string, string | undefined>>;

export interface PlaceLimits {
  /** Of everybody together. */
  most: number;
  /** Of everybody who shares one key, by its kind. */
  mostOf?: Readonly<Record<string, number>>;
  /** The limits of single keys hold once so many places are taken: before that nobody is in anybody's way. Default 0. */
  sharesFrom?: number;
}

/**
 * Counts places, in all and by who holds them, so that nobody – no network, no account, no link – has more than a share when
 * others want some too. A key is remembered only while it holds a place.
 */
export function openPlaces({ most, mostOf = {}, sharesFrom = 0 }: PlaceLimits): Places {
  let taken = 0;
  const held = new Map<string, number>();
  const add = (key: string, step: 1 | -1) => {
    const now = (held.get(key) ?? 0) + step;
    if (now > 0) held.set(key, now);
    else held.delete(key);
  };
  const countedOf = (keys: Keys) =>
    Object.entries(keys).flatMap(([kind, key]) => {
      const limit = mostOf[kind];
      return limit === undefined || key === undefined ? [] : [{ name: `${kind} ${key}`, limit }];
    });
  const hasShare = (counted: ReturnType<typeof countedOf>) =>
    counted.some(({ name, limit }) => (held.get(name) ?? 0) >= limit);
  return {
    isFull: (keys = {}) => taken >= most || (taken >= sharesFrom && hasShare(countedOf(keys))),
    take(keys = {}) {
      const counted = countedOf(keys);
      if (taken >= most || (taken >= sharesFrom && hasShare(counted))) return undefined;
      taken++;
      for (const { name } of counted) add(name, 1);
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        taken--;
        for (const { name } of counted) add(name, -1);
      };
    },
  };
}
