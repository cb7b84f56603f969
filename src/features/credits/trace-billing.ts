import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { faultsOfOurs, type Payer, type TraceBilling } from '#features/tracing/paying.ts';
import { countUploads } from '#features/tracing/store.ts';
import { formatCount } from '#kit/text.ts';
import { monthOf } from '#kit/time.ts';
import { refuse } from '#wire/refusals.ts';
import { sumCredits } from './ledger-store.ts';
import { spendCredits } from './lots/accounting.ts';
import { lockCredits } from './lots/lots-store.ts';
import { settleCredits } from './lots/settling.ts';

const system = { kind: 'system' } as const;

/** Returns how many copies a creator has submitted this month. */
export const countTraces = (tx: Tx, { clock }: Pick<Engines, 'clock'>, userId: string): Promise<number> =>
  countUploads(tx, userId, monthOf(new Date(clock())), faultsOfOurs);

/** What the next copy costs; nothing while free ones are left. */
async function findPrice(tx: Tx, engines: Engines, userId: string): Promise<{ price: number; free: number }> {
  const settings = await settingsOf(engines);
  const free = settings['credits.freeTraces'];
  const used = await countTraces(tx, engines, userId);
  return { price: used < free ? 0 : settings['credits.trace'], free };
}

/** Why it is not taken: they have too few, or are to agree to what it costs. */
function describeNeed({ price, free, balance }: { price: number; free: number; balance: number }) {
  const used = free === 0 ? '' : `You've used this month's ${formatCount(free, 'free trace')}. `;
  const cost = `This one costs ${formatCount(price, 'credit')}`;
  const canPay = balance >= price;
  const has = canPay ? `; you have ${balance}.` : `, and you have ${Math.max(0, balance)}.`;
  return { credits: price, reason: canPay ? 'agree' : 'too_few', message: `${used}${cost}${has}` };
}

/** Takes the credits for traces beyond the free ones. */
export const traceBilling: TraceBilling = {
  async refuse(engines, { creatorId, agreed }) {
    const { database, payments } = engines;
    const { price, free } = await database.work(system, (tx) => findPrice(tx, engines, creatorId));
    if (price === 0) return undefined;
    await settleCredits(engines, creatorId);
    const { balance } = await database.work(system, (tx) => sumCredits(tx, payments.realm, creatorId));
    if (agreed === price && balance >= price) return undefined;
    return { code: 'CREDITS_NEEDED', data: describeNeed({ price, free, balance }) };
  },
  async pay(tx, engines, { creatorId, agreed, traceId }: Payer & { traceId: string }) {
    const { realm } = engines.payments;
    // Copies that come at the same time count one after the other.
    await lockCredits(tx, creatorId);
    const { price, free } = await findPrice(tx, engines, creatorId);
    if (price === 0) return;
    const spending = { realm, userId: creatorId, jobId: traceId, what: 'trace', credits: price } as const;
    if (agreed === price && (await spendCredits(tx, { ...spending, now: moneyNow(engines) }))) return;
    const { balance } = await sumCredits(tx, realm, creatorId);
    throw refuse('CREDITS_NEEDED', describeNeed({ price, free, balance }));
  },
};
