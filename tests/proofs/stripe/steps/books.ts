import type { Side } from '../side.ts';
import type { Step } from '../step.ts';

const sumOf = async (side: Side): Promise<number> => {
  const { available, pending } = await side.payments.balance();
  return (available.get('usd') ?? 0) + (pending.get('usd') ?? 0);
};

const linesOf = async (side: Side): Promise<{ sum: number; kinds: Set<string>; ids: Set<string>; lines: number }> => {
  const found = { sum: 0, kinds: new Set<string>(), ids: new Set<string>(), lines: 0 };
  for await (const page of side.payments.movements(side.startedAt))
    for (const { netCents, kind, id } of page) {
      found.sum += netCents;
      found.kinds.add(kind);
      found.ids.add(id);
      found.lines += 1;
    }
  return found;
};

/** Notes what stood in the platform's balance before anything was done. */
export const opening: Step = {
  name: 'the balance before all of it',
  async run(side) {
    const { sum } = await linesOf(side);
    side.kept.openingCents = (await sumOf(side)) - sum;
    return { isRead: true };
  },
};

/** Compares the sum of all lines with what the balance has become. */
export const closing: Step = {
  name: 'the books, without drift',
  async run(side) {
    const { sum, kinds, ids, lines } = await linesOf(side);
    return {
      drift: (await sumOf(side)) - sum - (side.kept.openingCents ?? 0),
      areLinesOnce: ids.size === lines,
      kinds: [...kinds].sort(),
    };
  },
};
