import type { Engines } from '#engines/engines.ts';
import { type KeptForOthers, sumKeptForOthers } from '#features/books/cover-store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { formatMoney } from '#kit/text.ts';

/** Says how the platform's own money leaves, where it could take what is held for others along. */
const scheduleWords = (interval: string): string =>
  `Stripe pays the platform out by itself (${interval}), and what is held for custom work would leave as well: set payouts of your own account to manual`;

/** The sentence about the platform's own payouts; undefined where they are manual. */
async function findScheduleTrouble({ payments }: Pick<Engines, 'payments'>): Promise<string | undefined> {
  const interval = await payments.findOwnSchedule();
  return interval === 'manual' ? undefined : scheduleWords(interval);
}

/** Looks once, after the app listens, how the platform itself is paid out; whoever cannot be asked keeps nobody waiting. */
export async function checkOwnSchedule(engines: Pick<Engines, 'payments' | 'log'>): Promise<void> {
  const { log } = engines;
  try {
    const trouble = await findScheduleTrouble(engines);
    if (trouble !== undefined) log.warn({ area: 'money' }, trouble);
  } catch (error) {
    log.warn({ area: 'money', err: error }, 'nobody could see whether the platform is paid out by itself');
  }
}

const zero = { heldCents: 0, heldPendingCents: 0, owedCents: 0 };

/** What is kept for others beside what the provider has for it. */
interface Cover {
  lines: string[];
  /** Less is there than is kept for others, or it may leave by itself. */
  isShort: boolean;
}

/** Compares what is held and owed with what is available at the provider. */
export async function lookAtCover(engines: Engines): Promise<Cover> {
  const { database, payments } = engines;
  if (payments.isOff) return { lines: [], isShort: false };
  const now = moneyNow(engines);
  const kept = await database.work({ kind: 'system' }, (tx) => sumKeptForOthers(tx, payments.realm, now));
  try {
    const [{ available }, trouble] = await Promise.all([payments.balance(), findScheduleTrouble(engines)]);
    const currencies = [...new Set([...kept.map(({ currency }) => currency), ...available.keys()])].toSorted();
    const compared = currencies.map((currency) => {
      const parts = kept.find((one) => one.currency === currency) ?? { currency, ...zero };
      return compare(parts, available.get(currency) ?? 0);
    });
    const lines = [...compared.map(({ line }) => line), ...(trouble === undefined ? [] : [trouble])];
    return { lines, isShort: trouble !== undefined || compared.some(({ isShort }) => isShort) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { lines: [`what is held for others could not be compared: ${words}`], isShort: false };
  }
}

function compare(parts: KeptForOthers, availableCents: number): { line: string; isShort: boolean } {
  const { currency, heldCents, heldPendingCents, owedCents } = parts;
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const missingCents = heldCents - heldPendingCents + owedCents - availableCents;
  const pending = heldPendingCents > 0 ? ` (${format(heldPendingCents)} of it not yet available)` : '';
  const words = `held for custom work ${format(heldCents)}${pending}, owed ${format(owedCents)}, available at the provider ${format(availableCents)}`;
  if (missingCents <= 0) return { line: words, isShort: false };
  return { line: `${words}: ${format(missingCents)} is missing`, isShort: true };
}
