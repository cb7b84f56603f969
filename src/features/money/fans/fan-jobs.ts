import type { Engines } from '#engines/engines.ts';
import { draftedMs } from '#features/books/draft-rules.ts';
import { finalizeDraft } from '#features/books/finalizing-draft.ts';
import { syncLedger } from '#features/books/ledger-sync.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { endRenewal } from '#features/orders/changing-fans.ts';
import { syncFan } from '#features/orders/sync-fan.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { dayMs, hourMs, minuteMs } from '#kit/time.ts';
import { announceFans } from './announcing-fans.ts';
import { endNow } from './cutting-short.ts';
import {
  listGoneFans,
  listOverdueFans,
  listStoppedFans,
  listUnfinalized,
  markStopped,
  noteFinalizing,
  postponeFan,
} from './due-store.ts';

const system = { kind: 'system' } as const;
/** Somebody may be told of it just now. */
const quietMs = 2 * minuteMs;

/**
 * Asks about every subscription of which something should have been told, ends those that nobody offers any more, and writes to
 * whoever has to know. It needs no webhook at all.
 */
export async function settleFans(engines: Engines, quiet = quietMs): Promise<void> {
  const { database, payments } = engines;
  if (payments.isOff) return;
  const { realm } = payments;
  const now = moneyNow(engines);
  const work = <T>(run: Parameters<typeof database.work<T>>[1]) => database.work(system, run);
  const round = {
    words: 'a subscription could not be asked about',
    postpone: (tx: Parameters<typeof postponeFan>[0], id: string, at: Date) => postponeFan(tx, realm, id, at),
  };
  const { 'links.undoHours': undoHours } = await settingsOf(engines);
  await doOneByOne(engines, await work((tx) => listGoneFans(tx, realm, now, undoHours * hourMs)), {
    ...round,
    act: (id) => endNow(engines, id),
  });
  await endStopped(engines, now);
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const times = { now, before: ago(quiet), long: ago(dayMs), drafted: ago(draftedMs) };
  const overdue = await work((tx) => listOverdueFans(tx, realm, times));
  await doOneByOne(engines, overdue, { ...round, act: (id) => syncFan(engines, id) });
  if (overdue.length > 0) await syncLedger(engines);
  await finalizeFans(engines, now);
  await announceFans(engines, moneyNow(engines));
}

/** Bills that could not be made final because their creator could not be paid are tried again once they can, each no more than once an hour. */
async function finalizeFans(engines: Engines, now: Date): Promise<void> {
  const { database, payments } = engines;
  const { realm } = payments;
  const again = new Date(now.getTime() + hourMs);
  const unfinalized = await database.work(system, (tx) => listUnfinalized(tx, realm, now));
  await doOneByOne(engines, unfinalized, {
    words: 'the bill of a subscription could not be made final',
    async act({ subscriptionId, invoiceId }) {
      await database.work(system, (tx) => noteFinalizing(tx, realm, subscriptionId, again));
      await finalizeDraft(engines, subscriptionId, invoiceId);
      await syncFan(engines, subscriptionId);
    },
    postpone: async () => undefined,
  });
  if (unfinalized.length > 0) await syncLedger(engines);
}

/** What was paid for stays open to the end of its month, and no other one is charged; a month that was not paid ends at once. */
async function endStopped(engines: Engines, now: Date): Promise<void> {
  const { database, payments } = engines;
  const stopped = await database.work(system, (tx) => listStoppedFans(tx, payments.realm, now));
  await doOneByOne(engines, stopped, {
    words: 'a subscription to a tier that was stopped could not be ended',
    async act({ id, subscriptionId }) {
      await endRenewal(engines, subscriptionId);
      await database.work(system, (tx) => markStopped(tx, id, now));
      await syncFan(engines, subscriptionId);
    },
    postpone: (tx, { subscriptionId }, at) => postponeFan(tx, payments.realm, subscriptionId, at),
  });
}
