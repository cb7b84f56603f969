import { createHmac } from 'node:crypto';
import { withoutDeadline } from '#engines/deadline.ts';
import type { Tx } from '../../database/work.ts';
import type { Log } from '../../engines.ts';
import type { HookName } from '../payments.ts';
import type { Chaos, Sandbox, TakeEvent } from '../sandbox-parts.ts';
import {
  type Attempt,
  claimEvent,
  claimEvents,
  type DueDelivery,
  giveUp,
  keepChaos,
  listDeliveries,
  noteAttempts,
  readChaos,
} from './delivering-store.ts';
import type { Kept, SandboxKeys } from './store.ts';

/** Five seconds, doubled each time, come to three days. */
const mostAttempts = 80;
const deliveredAtOnce = 20;
const delaySeconds = 60;
const mostShown = 50;

export function signatureOf(secret: string, body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

type KnownKeys = () => Promise<SandboxKeys>;
export interface DeliverySettings {
  work<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  clock: () => number;
  sandboxClock: () => number;
  log: Pick<Log, 'error'>;
  knownKeys: KnownKeys;
}

interface DeliveryResult {
  status: number;
  error: string | null;
}

const errorOf = (status: number, words: string): string | null => {
  if (status >= 200 && status < 300) return null;
  return words === '' ? null : words.slice(0, 300);
};

/** Hands one event to the hook, as far as the line is left alone. */
async function hand(
  { hook, body }: DueDelivery,
  { take, chaos, secrets, nowMs }: { take: TakeEvent; chaos: Chaos; secrets: Record<string, string>; nowMs: number },
): Promise<DeliveryResult> {
  if (chaos.drops) return { status: 0, error: 'Dropped: the switch on this page loses every event.' };
  if (chaos.answers500) return { status: 500, error: 'Answered by the switch on this page; the app was not asked.' };
  const text = JSON.stringify(body satisfies Kept);
  const answer = await take(hook as HookName, text, signatureOf(secrets[hook] ?? '', text, nowMs));
  const { status, words } = typeof answer === 'number' ? { status: answer, words: '' } : answer;
  return { status, error: errorOf(status, words) };
}

type Deliveries = Pick<Sandbox, 'deliveries' | 'sendAgain' | 'chaos' | 'setChaos'>;

/** Tells events that were claimed to whoever takes them now, and notes what came of it. */
function openDeliverer({ work, clock, sandboxClock, log, knownKeys }: DeliverySettings) {
  let take: TakeEvent | undefined;
  async function deliverOnce(event: DueDelivery, chaos: Chaos): Promise<Attempt[]> {
    if (take === undefined) return [];
    const { secrets } = await knownKeys();
    const result = await hand(event, { take, chaos, secrets, nowMs: clock() }).catch(
      (error: unknown): DeliveryResult => {
        log.error({ engine: 'payments', err: error }, 'an event of the sandbox was not told');
        return { status: 0, error: String(error).slice(0, 300) };
      },
    );
    return [{ id: event.id, ...result }];
  }
  async function deliverOne(event: DueDelivery, chaos: Chaos): Promise<Attempt[]> {
    const first = await deliverOnce(event, chaos);
    return chaos.duplicates ? [...first, ...(await deliverOnce(event, chaos))] : first;
  }
  async function deliverInTurn(events: readonly DueDelivery[], chaos: Chaos): Promise<Attempt[]> {
    const attempts: Attempt[] = [];
    for (const event of events) attempts.push(...(await deliverOne(event, chaos)));
    return attempts;
  }
  async function deliverAll(events: readonly DueDelivery[], chaos: Chaos): Promise<void> {
    const attempts = chaos.reorders
      ? await deliverInTurn(events.toReversed(), chaos)
      : (await Promise.all(events.map((event) => deliverOne(event, chaos)))).flat();
    if (attempts.length === 0) return;
    await work(async (tx) => {
      await noteAttempts(tx, attempts, new Date(sandboxClock()));
      const ids = attempts.map(({ id }) => id);
      if (chaos.drops) await giveUp(tx, ids, mostAttempts);
    });
  }
  return {
    to(taker: TakeEvent | undefined) {
      take = taker;
    },
    hasTaker: () => take !== undefined,
    deliverAll,
  };
}
type Deliverer = ReturnType<typeof openDeliverer>;

/** Returns what the page of the sandbox shows of the events and does with them. */
const deliveriesOf = (work: DeliverySettings['work'], deliverer: Deliverer): Deliveries => ({
  deliveries: (isUntaken) => work((tx) => listDeliveries(tx, { limit: mostShown, mostAttempts, isUntaken })),
  async sendAgain(eventId) {
    if (!deliverer.hasTaker()) return false;
    const { chaos, event } = await work(async (tx) => ({
      chaos: await readChaos(tx),
      event: await claimEvent(tx, eventId),
    }));
    if (event === undefined) return false;
    await deliverer.deliverAll([event], { ...chaos, drops: false }); // By hand one arrives even where every other is lost.
    return true;
  },
  chaos: () => work(readChaos),
  setChaos: (chaos) => work((tx) => keepChaos(tx, chaos)),
});

/** Tells events to the hooks, some at a time, as the provider does: signed, in no promised order, again until they are taken. */
export function openDeliveries(settings: DeliverySettings) {
  const { work, sandboxClock, log } = settings;
  const deliverer = openDeliverer(settings);
  let running: Promise<void> = Promise.resolve();
  let [isStopped, isQuiet] = [false, false];
  async function due(): Promise<void> {
    for (;;) {
      if (!deliverer.hasTaker() || isStopped || isQuiet) return;
      const { chaos, events } = await work(async (tx) => {
        const chaos = await readChaos(tx);
        const waitSeconds = chaos.delays ? delaySeconds : 0;
        const claim = { now: new Date(sandboxClock()), mostAttempts, limit: deliveredAtOnce, waitSeconds };
        return { chaos, events: await claimEvents(tx, claim) };
      });
      if (events.length > 0) await deliverer.deliverAll(events, chaos);
      if (events.length < deliveredAtOnce) return;
    }
  }
  return {
    deliveries: deliveriesOf(work, deliverer),
    to: deliverer.to,
    isTelling: () => !isQuiet,
    set(isTelling: boolean) {
      isQuiet = !isTelling;
    },
    /** A round of its own, behind those that run already. */
    async due() {
      const own = running.then(due);
      running = own.catch(() => undefined);
      await own;
    },
    /** One round behind the other; what goes wrong in one is tried again in the next. */
    soon() {
      if (!deliverer.hasTaker() || isStopped) return;
      running = running
        .then(() => withoutDeadline(due))
        .catch((error: unknown) =>
          log.error({ engine: 'payments', err: error }, 'an event of the sandbox was not told'),
        );
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
