import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { moneyNow } from './money-clock.ts';
import { notifyRefusedKey } from './notify-refused-keys.ts';

/** A provider that has not answered so often in a row is not asked any more in this round. */
const mostAway = 3;

interface Round<Item> {
  /** What could not be done, for the log. */
  words: string;
  act(item: Item): Promise<unknown>;
  /** Notes that this one is tried again later. @param error why it could not be done */
  postpone(tx: Tx, item: Item, now: Date, error: unknown): Promise<void>;
}

/** Does the same to each of several: what cannot be done to one now is tried again later, and stops none of the others. */
export async function doOneByOne<Item>(
  engines: Engines,
  items: readonly Item[],
  { words, act, postpone }: Round<Item>,
): Promise<void> {
  let away = 0;
  for (const item of items) {
    try {
      await act(item);
      away = 0;
    } catch (error) {
      engines.log.warn({ area: 'money', err: error }, words);
      await engines.database.work({ kind: 'system' }, (tx) => postpone(tx, item, moneyNow(engines), error));
      await notifyRefusedKey(engines, error);
      away = error instanceof PaymentsAway ? away + 1 : 0;
      if (away === mostAway) return;
    }
  }
}
