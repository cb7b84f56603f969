import type { Engines } from '#engines/engines.ts';
import { type Amounts, PaymentRefused } from '#engines/payments/payments.ts';
import { type Balance, type DaySum, listBalances, sumDays } from '#features/books/ledger-store.ts';
import { syncLedger, syncPayouts } from '#features/books/ledger-sync.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { custodyKey } from '#features/books/posting.ts';
import { beginRun, endRun, postponeAccount, postponeSession } from '#features/books/reconcile-store.ts';
import { closeOrder } from '#features/orders/orders-store.ts';
import { releasePlace } from '#features/orders/places-store.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { listAccounts, listUnfinished } from '#features/payouts/accounts-store.ts';
import { syncAccount } from '#features/payouts/sync-account.ts';
import { newId } from '#kit/ids.ts';
import { dayMs, hourMs, minuteMs } from '#kit/time.ts';
import { syncObject } from './sync-object.ts';
import { listUnbooked } from './unbooked-store.ts';
import { listOpenSessions, listUnsent } from './unended-store.ts';

const system = { kind: 'system' } as const;
/** Books are read again from so long before the last time: a line may be written late. */
const overlapMs = 2 * dayMs;
/** A payer who is on the page just now is asked about soon enough by their own page. */
const quietMs = 2 * minuteMs;
/** What was paid so long ago stands in the books: they are brought up before they are compared. */
const bookedMs = hourMs;

/** Asks about everything that is open and of which no event told how it ended. It needs no webhook at all. */
export async function settleOpen(engines: Engines, quiet = quietMs): Promise<void> {
  const { database, payments } = engines;
  const { realm } = payments;
  const before = new Date(moneyNow(engines).getTime() - quiet);
  await doOneByOne(engines, await database.work(system, (tx) => listOpenSessions(tx, realm, before)), {
    words: 'an open payment could not be asked about',
    act: (sessionId) => syncSession(engines, sessionId),
    postpone: (tx, sessionId, now) => postponeSession(tx, realm, sessionId, now),
  });
  await doOneByOne(engines, await database.work(system, (tx) => listUnfinished(tx, realm, before)), {
    words: 'the account of a creator could not be asked about',
    act: (accountId) => syncAccount(engines, accountId),
    postpone: (tx, accountId, now) => postponeAccount(tx, realm, accountId, now),
  });
  for (const id of await database.work(system, (tx) => listUnsent(tx, realm, moneyNow(engines))))
    await database.work(system, async (tx) => {
      if (await closeOrder(tx, id, 'failed')) await releasePlace(tx, id);
    });
}

/** Acts upon events that no hook has taken. */
export async function catchMissed(engines: Engines): Promise<void> {
  const seen = new Set<string>();
  for await (const { objectId } of engines.payments.undelivered()) {
    if (seen.has(objectId)) continue;
    seen.add(objectId);
    // It is among them again the next time.
    await doOneByOne(engines, [objectId], {
      words: 'an event that no hook has taken could not be acted upon',
      act: () => syncObject(engines, objectId),
      postpone: async () => undefined,
    });
  }
}

const sumOf = (amounts: ReadonlyMap<string, number>, currency: string) => amounts.get(currency) ?? 0;

/** @returns undefined when the provider refuses to tell: one account is no reason to compare none */
async function findBalance({ payments }: Engines, accountId: string): Promise<Amounts | undefined> {
  return payments.balance(accountId).catch((error: unknown) => {
    if (error instanceof PaymentRefused) return undefined;
    throw error;
  });
}

/** What in the books does not agree with itself or with the provider; empty when all does. */
export async function findDrift(engines: Engines): Promise<string[]> {
  const { faults, drift } = await compareBooks(engines);
  return [...faults, ...drift];
}

/** Compares the books with themselves, with the orders that were paid, and with the provider's. */
async function compareBooks(engines: Engines): Promise<{ faults: string[]; drift: string[] }> {
  const { database, payments } = engines;
  const balances = await database.work(system, (tx) => listBalances(tx, payments.realm));
  const held = (key: string, currency: string) =>
    balances.find((one: Balance) => one.key === key && one.currency === currency)?.amountCents ?? 0;
  const own = await payments.balance();
  // Also what the provider has of a currency of which the books have nothing.
  const currencies = new Set([
    ...balances.map(({ currency }) => currency),
    ...own.available.keys(),
    ...own.pending.keys(),
  ]);
  const accounts = await database.work(system, (tx) => listAccounts(tx, payments.realm));
  const drift: string[] = [];
  const compare = (what: string, ours: number, theirs: number) =>
    ours !== theirs && drift.push(`${what}: ${ours} in the books, ${theirs} at the provider`);
  for (const currency of currencies) compare('asset:stripe', held('asset:stripe', currency), sumBoth(own, currency));
  for (const accountId of accounts) {
    const theirs = await findBalance(engines, accountId);
    if (theirs === undefined) drift.push(`${custodyKey(accountId)}: the provider does not tell`);
    else
      for (const currency of currencies)
        compare(custodyKey(accountId), held(custodyKey(accountId), currency), sumBoth(theirs, currency));
  }
  const since = new Date(moneyNow(engines).getTime() - bookedMs);
  const unbooked = await database.work(system, (tx) => listUnbooked(tx, payments.realm, since));
  const days = await database.work(system, (tx) => sumDays(tx, payments.realm));
  const faults = [
    ...findFaults(balances, { currencies, accounts }),
    ...findUneven(balances, days),
    ...unbooked.map((id) => `order ${id} was paid and is not in the books`),
  ];
  return { faults, drift };
}

const sumBoth = ({ available, pending }: Amounts, currency: string) =>
  sumOf(available, currency) + sumOf(pending, currency);

/** Returns where the entries do not come to nothing, and accounts of which something else is owed than is held. */
function findFaults(
  balances: readonly Balance[],
  { currencies, accounts }: { currencies: ReadonlySet<string>; accounts: readonly string[] },
): string[] {
  const held = (key: string, currency: string) =>
    balances.find((one) => one.key === key && one.currency === currency)?.amountCents ?? 0;
  return [...currencies].flatMap((currency) => {
    const all = balances
      .filter((one) => one.currency === currency)
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
    const suspense = held('suspense', currency);
    const uneven = accounts.flatMap((accountId) => {
      const [ours, owed] = [held(custodyKey(accountId), currency), held(`liability:creator:${accountId}`, currency)];
      return ours + owed === 0 ? [] : [`${accountId}: ${ours} held, ${-owed} owed`];
    });
    return [
      ...(all === 0 ? [] : [`the books in ${currency} add up to ${all}`]),
      ...(suspense === 0 ? [] : [`suspense: ${suspense}`]),
      ...uneven,
    ];
  });
}

/** Returns what is added up by days has to come to what the entries come to. */
export function findUneven(balances: readonly Balance[], days: readonly DaySum[]): string[] {
  const entries = new Map<string, { owed: number; held: number }>();
  for (const { key, ownerId, currency, amountCents } of balances) {
    // Credits are no money, and no day of earnings.
    if (ownerId === null || currency === 'crd') continue;
    const name = `${ownerId} ${currency}`;
    const { owed, held } = entries.get(name) ?? { owed: 0, held: 0 };
    const isOwed = key.startsWith('liability:creator:');
    entries.set(name, { owed: isOwed ? owed - amountCents : owed, held: isOwed ? held : held + amountCents });
  }
  const added = new Map(days.map((sum) => [`${sum.ownerId} ${sum.currency}`, sum]));
  return [...new Set([...entries.keys(), ...added.keys()])].flatMap((name) => {
    const { owed = 0, held = 0 } = entries.get(name) ?? {};
    const { owedCents = 0, heldCents = 0 } = added.get(name) ?? {};
    if (owed === owedCents && held === heldCents) return [];
    return [`${name}: ${owedCents} owed and ${heldCents} held by days, ${owed} and ${held} by entries`];
  });
}

/**
 * Brings the books up to date and compares them; what differs is written down and told, and never repaired by hand.
 * @param runId under which it was asked for; left out, it comes by itself
 */
export async function reconcile(engines: Engines, runId?: string): Promise<string[]> {
  const { database, payments, log } = engines;
  const startedAt = moneyNow(engines);
  const id = runId ?? newId<'run'>(startedAt.getTime());
  await database.work(system, (tx) => beginRun(tx, { id, realm: payments.realm, startedAt }));
  // What was missed for longer than the overlap is new all the same.
  await syncLedger(engines);
  const checked = await syncLedger(engines, new Date(startedAt.getTime() - overlapMs));
  await doOneByOne(engines, await database.work(system, (tx) => listAccounts(tx, payments.realm)), {
    words: 'what was paid out to a creator could not be asked about',
    act: (accountId) => syncPayouts(engines, accountId),
    // It is asked again by the next round.
    postpone: async () => undefined,
  });
  const found = await compareBooks(engines);
  const drift = [...found.faults, ...found.drift];
  if (drift.length > 0) log.error({ area: 'money', drift }, 'the books do not agree with the payment provider');
  await database.work(system, (tx) => endRun(tx, id, { ...found, finishedAt: moneyNow(engines), checked }));
  return drift;
}
