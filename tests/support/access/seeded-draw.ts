/** Numbers out of a seed: the same seed walks the same way. @see https://en.wikipedia.org/wiki/Xorshift */
export function drawing(seed: number) {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  const pick = <T>(all: readonly T[]): T => all[next() % all.length] as T;
  return { pick, chance: (oneIn: number) => next() % oneIn === 0 };
}
