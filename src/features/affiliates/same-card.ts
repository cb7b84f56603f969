import { createHash } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { syncBillRefund } from '#features/plans/bill-refunds.ts';
import { dayMs } from '#kit/time.ts';
import { keepBillCard, listPaidByOwnCard, listUnasked } from './cards-store.ts';
import { voidByItself } from './voiding.ts';

const system = { kind: 'system' } as const;
/** Bills that were paid longer ago are not asked about, and what is known of them is forgotten: 13 months. */
export const billCardDays = 395;

/** What is kept of a card: the provider's name for it is long and random, so nobody finds it by trying. */
export const hashCard = ({ provider, livemode }: Realm, fingerprint: string): Buffer =>
  createHash('sha256').update(`card\0${provider}\0${livemode}\0${fingerprint}`).digest();

/**
 * Asks the provider what became of a bill, and keeps by which card it was paid.
 * @returns the charge by which it was paid; undefined where it was paid by none
 */
export async function askAboutBill(engines: Engines, invoiceId: string): Promise<string | undefined> {
  const { database, payments } = engines;
  const { chargeId, card } = await syncBillRefund(engines, invoiceId);
  const cardHash = card === undefined ? undefined : hashCard(payments.realm, card);
  await database.work(system, (tx) => keepBillCard(tx, { invoiceId, cardHash, now: moneyNow(engines) }));
  return chargeId;
}

/** Makes referrals void whose bills are paid by their partner's own card; an administrator may let them count after all. */
export async function voidOwnCards(engines: Engines): Promise<void> {
  const { database, payments } = engines;
  const { realm } = payments;
  if (!payments.isOff) {
    const paidAfter = new Date(moneyNow(engines).getTime() - billCardDays * dayMs);
    await doOneByOne(engines, await database.work(system, (tx) => listUnasked(tx, realm, paidAfter)), {
      words: 'the card of a bill could not be asked for',
      act: ({ invoiceId }) => askAboutBill(engines, invoiceId),
      // It is asked for again by the next round.
      postpone: async () => undefined,
    });
  }
  for (const id of await database.work(system, (tx) => listPaidByOwnCard(tx, realm)))
    await database.work(system, (tx) =>
      voidByItself(tx, id, { reason: 'same_card', note: '', now: moneyNow(engines) }),
    );
}
