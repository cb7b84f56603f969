import { DatabaseAway } from '#engines/database/away.ts';
import { DeadlinePassed, leftMs, withDeadline, withoutDeadline } from '#engines/deadline.ts';
import type { Engines } from '#engines/engines.ts';
import { kindOf, type ObjectKind } from '#engines/payments/object-kinds.ts';
import { PaymentRefused, PaymentsAway } from '#engines/payments/payments.ts';
import { createSharedRun, type SharedRun } from '#engines/shared-run.ts';
import { syncTogether } from '#features/books/ledger-sync.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { notifyRefusedKey } from '#features/books/notify-refused-keys.ts';
import { createLru, type Lru } from '#kit/lru.ts';
import { createSemaphore, type Semaphore } from '#kit/semaphore.ts';
import { secondMs } from '#kit/time.ts';
import { syncObject } from '../sync-object.ts';
import { giveBackEvents, type InboxEvent, postponeEvents, settleEvents, takeEvents } from './inbox-store.ts';

/** Events that are taken together; what several of them are about is asked once. */
const takenAtOnce = 50;
/** Objects that are asked about at the same time: most connections to the database are left to people. */
const askedAtOnce = 3;
/** What acting upon one object may take. */
const actingMs = 30 * secondMs;
/** So long taken events are nobody else's: no two act upon the same, and those of a process that died come again. */
const takenMs = 90 * secondMs;
/** Rounds of one run; whoever waits for it has five minutes, and what is left is for the next run. */
const runMs = 240 * secondMs;
/** All events of a payment come within this, and are acted upon together. */
const gatheredMs = 0.1 * secondMs;
/** When it is tried again after the provider or the database did not answer, doubled up to the second. */
const [awayMs, mostAwayMs] = [5 * secondMs, 20 * secondMs];
/** The same for what nobody knows yet. */
const mostUnknownMs = 3600 * secondMs;
const mostErrorLength = 300;

/** Of so many events it is remembered when they came in; of any other it is enough to know when they were taken. */
const mostReceived = 10_000;

/** The worker of one process. */
interface Worker {
  run: SharedRun<void>;
  /** When events came in, by `performance.now()`: whatever was asked after that knows of them. */
  received: Lru<string, number>;
  /** Looks again by itself. */
  timer: NodeJS.Timeout | undefined;
  isStopped: boolean;
  /** By then all is due that was postponed because nobody answered. */
  postponedUntilMs: number;
}

/** Of each database: who acts upon its events, alone in this process. */
const workers = new WeakMap<object, Worker>();

function workerOf({ database: { connection } }: Engines): Worker {
  const known = workers.get(connection);
  if (known !== undefined) return known;
  const worker: Worker = {
    run: createSharedRun({ mostMs: runMs }),
    received: createLru(mostReceived),
    timer: undefined,
    isStopped: false,
    postponedUntilMs: 0,
  };
  workers.set(connection, worker);
  return worker;
}

/**
 * Acts upon the events that have arrived: of each only what it is about is believed, and the provider is asked how that stands
 * now. Late, doubled and reordered events come to the same.
 */
export const workInbox = (engines: Engines): Promise<void> => work(engines, workerOf(engines));

const work = (engines: Engines, worker: Worker): Promise<void> => worker.run.ask(() => workAll(engines, worker));

/**
 * The same in a moment, for whatever comes until then.
 * @param heardAtMs when an event that is kept now came in, by `performance.now()`
 */
export function wakeInbox(engines: Engines, eventId?: string, heardAtMs = performance.now()): void {
  const worker = workerOf(engines);
  if (eventId !== undefined) worker.received.set(eventId, heardAtMs);
  lookIn(engines, worker, gatheredMs);
}

/** Acts upon nothing more that comes; waits for what is under way, which has a deadline. */
export async function stopInbox({ database }: Pick<Engines, 'database'>): Promise<void> {
  const worker = workers.get(database.connection);
  if (worker === undefined) return;
  worker.isStopped = true;
  clearTimeout(worker.timer);
  await worker.run.untilIdle();
}

function lookIn(engines: Engines, worker: Worker, ms: number): void {
  if (worker.timer !== undefined || worker.isStopped) return;
  const look = () => {
    worker.timer = undefined;
    work(engines, worker).catch((error: unknown) => {
      engines.log.warn({ area: 'money', err: error }, 'the inbox of payments waits for its next round');
      lookIn(engines, worker, awayMs);
    });
  };
  worker.timer = withoutDeadline(() => setTimeout(look, ms)).unref();
}

async function workAll(engines: Engines, worker: Worker): Promise<void> {
  const { database, payments } = engines;
  while (!worker.isStopped) {
    if (leftMs() < takenMs) return lookIn(engines, worker, 0);
    const now = moneyNow(engines);
    const until = new Date(now.getTime() + takenMs);
    const events = await takeEvents(database, payments.realm, { now, until, limit: takenAtOnce });
    const isAway = events.length > 0 && (await actUponAll(engines, worker, events));
    if (isAway) worker.postponedUntilMs = performance.now() + mostAwayMs + awayMs;
    if (events.length > 0 && !isAway) continue;
    // Nothing else would get an answer either; what waits for one is due soon.
    if (performance.now() < worker.postponedUntilMs) lookIn(engines, worker, awayMs);
    return;
  }
}

/** Events by what they are about; checkouts first, by which it is known what their payments belong to. */
function byObject(events: readonly InboxEvent[]): [objectId: string, events: InboxEvent[]][][] {
  const objects = [...Map.groupBy(events, ({ objectId }) => objectId)];
  const isCheckout = ([objectId]: (typeof objects)[number]) => kindOf(objectId) === 'checkout';
  return [objects.filter(isCheckout), objects.filter((object) => !isCheckout(object))];
}

/** What several events are about. */
interface About {
  objectId: string;
  eventIds: readonly string[];
  /** How often the one that was tried most was taken. */
  attempts: number;
  /** What was asked then or later knows of all of them. */
  sinceMs: number;
}

const aboutOf = (
  [objectId, events]: readonly [string, readonly InboxEvent[]],
  { received }: Worker,
  takenAtMs: number,
): About => ({
  objectId,
  sinceMs: Math.max(...events.map(({ eventId }) => received.get(eventId) ?? takenAtMs)),
  eventIds: events.map(({ eventId }) => eventId),
  attempts: Math.max(...events.map(({ attempts }) => attempts)),
});

const idsOf = (all: readonly About[]) => all.flatMap(({ eventIds }) => eventIds);

/** @returns whether somebody who has to answer is away: what was not tried is given back */
async function actUponAll(engines: Engines, worker: Worker, events: readonly InboxEvent[]): Promise<boolean> {
  const { database } = engines;
  const round: Round = { takenAtMs: performance.now(), places: createSemaphore(askedAtOnce), isAway: false };
  const acted = new Map<Acted, About[]>([
    ['known', []],
    ['untried', []],
  ]);
  const act = (about: About) =>
    round.places.run(async () => {
      const isLate = performance.now() - round.takenAtMs > takenMs - 2 * actingMs;
      const isTried = !round.isAway && !worker.isStopped && !isLate;
      acted.get(isTried ? await actUpon(engines, about, round) : 'untried')?.push(about);
    });
  for (const objects of byObject(events))
    await Promise.all(objects.map((object) => act(aboutOf(object, worker, round.takenAtMs))));
  const known = acted.get('known') ?? [];
  // The books are brought up once for all of them, and nobody who waits for that holds a place.
  const isBooked = !known.some(({ objectId }) => isPayment(objectId)) || (await bookAll(engines, known, round));
  if (isBooked && known.length > 0) await settleEvents(database, idsOf(known), moneyNow(engines));
  const untried = idsOf(acted.get('untried') ?? []);
  const dueAt = new Date(moneyNow(engines).getTime() + (round.isAway ? awayMs : 0));
  if (untried.length > 0) await giveBackEvents(database, untried, dueAt);
  return round.isAway;
}

/** Events that were taken together. */
interface Round {
  takenAtMs: number;
  places: Semaphore;
  isAway: boolean;
}

type Acted = 'known' | 'later' | 'untried';

/** What a payment comes with; the books of everything else are brought up with it. */
const paidBy: readonly (ObjectKind | undefined)[] = ['checkout', 'payment', 'charge', 'refund'];
const isPayment = (objectId: string) => paidBy.includes(kindOf(objectId));

/** @returns false when the books have to wait: then all comes again */
async function bookAll(engines: Engines, known: readonly About[], round: Round): Promise<boolean> {
  try {
    await withDeadline(actingMs, () => syncTogether(engines));
    return true;
  } catch (error) {
    for (const about of known) await postpone(engines, about, round, error);
    return false;
  }
}

async function actUpon(engines: Engines, about: About, round: Round): Promise<Acted> {
  const bringing = { sinceMs: about.sinceMs, isBookedLater: true };
  try {
    if (await withDeadline(actingMs, () => syncObject(engines, about.objectId, bringing))) return 'known';
    // An object that nobody knows yet may be known in a moment: such an event is not lost, it comes again.
    await postponeEvents(engines.database, about.eventIds, {
      dueAt: dueAfter(engines, about, mostUnknownMs),
      error: 'nothing of ours is known by this name yet',
    });
  } catch (error) {
    await postpone(engines, about, round, error);
  }
  return 'later';
}

const dueAfter = (engines: Engines, { attempts }: About, mostMs: number): Date =>
  new Date(moneyNow(engines).getTime() + Math.min(awayMs * 2 ** (attempts - 1), mostMs));

/** Notes why it could not be done; what cannot even be noted comes again by itself. */
async function postpone(engines: Engines, about: About, round: Round, error: unknown): Promise<void> {
  const isAway = [PaymentsAway, DatabaseAway, DeadlinePassed].some((kind) => error instanceof kind);
  round.isAway ||= isAway;
  const isNobodys = error instanceof PaymentRefused && error.why === 'unknown';
  if (!isNobodys) engines.log.warn({ area: 'money', err: error }, 'an event could not be acted upon yet');
  const words = error instanceof Error ? error.message : String(error);
  const dueAt = dueAfter(engines, about, isAway ? mostAwayMs : mostUnknownMs);
  await postponeEvents(engines.database, about.eventIds, { dueAt, error: words.slice(0, mostErrorLength) })
    .then(() => notifyRefusedKey(engines, error))
    .catch(() => {
      round.isAway = true;
    });
}
