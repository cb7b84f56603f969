import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { insertAudit } from '#features/audit/store.ts';
import { askOnce } from '#features/books/asked-once.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { runPackRefunds, syncPack } from '#features/orders/packs.ts';
import {
  findPack,
  findPackOfSession,
  listPacks,
  lockPack,
  type PackRow,
  requestPackRefund,
} from '#features/orders/packs-store.ts';
import { refundRefused } from '#features/orders/rules.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { BoughtPack } from '../contract.ts';
import { settlePack } from '../lots/accounting.ts';
import { findLotOfPack, listPackLots, lockCredits } from '../lots/lots-store.ts';
import { settleCredits } from '../lots/settling.ts';
import { centsBack, packBackUntil } from '../rules.ts';

const unknown = { state: 'unknown', credits: 0 } as const;

/** What became of a checkout, for the page to which its payer comes back. Of anybody else's the provider is not asked. */
export async function arrivePack({ engines, creator }: CreatorContext, sessionId: string) {
  const { database, payments } = engines;
  const known = await findPackOfSession(database, payments.realm, sessionId);
  if (known === undefined || known.userId !== creator.userId) return unknown;
  const pack = await askOnce(engines, ['pack', sessionId], () => syncPack(engines, sessionId));
  if (pack === undefined) return unknown;
  const { state, credits } = pack;
  if (state === 'pending') return { state: 'checking', credits } as const;
  if (pack.paidAt === null) return { state: 'failed', credits } as const;
  await settleCredits(engines, creator.userId);
  return { state: 'ready', credits } as const;
}

/** What somebody has bought, and what of it they can have back. */
export async function listBought(tx: Tx, engines: Engines, userId: string): Promise<BoughtPack[]> {
  const now = moneyNow(engines);
  const rows = await listPacks(tx, engines.payments.realm, userId);
  const left = new Map(
    (
      await listPackLots(
        tx,
        rows.map(({ id }) => id),
      )
    ).map((lot) => [lot.packId, lot.remaining]),
  );
  return rows.flatMap((row) => (row.paidAt === null ? [] : [show(row, row.paidAt, left.get(row.id) ?? 0, now)]));
}

function show(pack: PackRow, paidAt: Date, unused: number, now: Date): BoughtPack {
  const { id, credits, amountCents, currency } = pack;
  const until = packBackUntil(paidAt);
  const cents = centsBack(pack, unused);
  const isAsked = pack.backState === 'pending' || pack.backState === 'succeeded';
  const canReturn = pack.state === 'paid' && !isAsked && now < until && cents > 0;
  const back = canReturn ? { cents, until } : null;
  return { id, credits, amountCents, currency, at: paidAt, unused, back, state: stateOf(pack) };
}

function stateOf({ state, backState }: PackRow): BoughtPack['state'] {
  if (state === 'disputed' || state === 'charged_back') return state;
  if (state !== 'paid') return 'refunded';
  return backState === 'pending' ? 'returning' : 'bought';
}

/** Pays the unused part of a pack back, once, within 14 days; its credits go at once, and come back when it is refused. @throws NOT_FOUND, REFUND_WINDOW, CONFLICT */
export async function askPackBack(context: CreatorContext, packId: string) {
  const { engines, creator, asSystem, requestId } = context;
  const { realm } = engines.payments;
  await settleCredits(engines, creator.userId);
  const cents = await asSystem(async (tx) => {
    const now = moneyNow(engines);
    const pack = await lockPack(tx, packId);
    if (pack?.userId !== creator.userId || pack.paidAt === null) throw refuse('NOT_FOUND');
    if (pack.state === 'disputed' || pack.state === 'charged_back') throw refuse('DISPUTED');
    if (now >= packBackUntil(pack.paidAt)) throw refuse('REFUND_WINDOW');
    await lockCredits(tx, creator.userId);
    const unused = (await findLotOfPack(tx, packId))?.remaining ?? 0;
    const back = { credits: unused, cents: centsBack(pack, unused) };
    if (back.cents === 0) throw refuse('CONFLICT', { message: "There's nothing left of this pack to refund." });
    if (!(await requestPackRefund(tx, packId, back)))
      throw refuse('CONFLICT', { message: "You've already asked for a refund of this pack." });
    await settlePack(tx, realm, packId, now);
    const actor = { type: creator.kind, id: creator.userId };
    const details = { credits: unused, cents: back.cents };
    await insertAudit(tx, {
      actor,
      action: 'credits.refunded',
      target: { type: 'pack', id: packId },
      details,
      requestId,
    });
    return back.cents;
  });
  // What the provider does not take now it is asked for again: the request is written down.
  await runPackRefunds(engines, packId).catch((error: unknown) => {
    if (!(error instanceof PaymentsAway)) throw error;
  });
  await settleCredits(engines, creator.userId);
  const after = await asSystem((tx) => findPack(tx, packId));
  if (after?.state === 'disputed' || after?.state === 'charged_back') throw refuse('DISPUTED');
  if (after?.backState === 'failed')
    throw refuse('CONFLICT', { message: `${refundRefused} Your credits are still yours.` });
  return { cents, state: after?.backState === 'succeeded' ? ('refunded' as const) : ('returning' as const) };
}
