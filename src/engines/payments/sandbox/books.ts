import type Stripe from 'stripe';
import { dayMs, secondMs } from '#kit/time.ts';
import type { Tx } from '../../database/work.ts';
import { apiVersion } from '../payments.ts';
import { type Drafts, openDrafts } from './drafts.ts';
import { makeLine, newObjectId } from './objects.ts';
import { type Kept, platform } from './store.ts';

/** What the sandbox answers with instead of an object, in the provider's shape. */
export class SandboxError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, words: string) {
    super(words);
    this.name = 'SandboxError';
    this.status = status;
    this.code = code;
  }
}

/** What an event may be about. */
type Named = Pick<Kept, 'object'>;

/** A call that was not begun: its key may be used again. */
export class MalformedCall extends SandboxError {}

/** The objects of the sandbox within one transaction. */
export interface Books {
  tx: Tx;
  /** Returns whether anything has happened that is to be told. */
  hasNews(): boolean;
  /** Seconds since 1970 by the sandbox's clock. */
  now: number;
  /** @throws SandboxError when there is none */
  find<T extends Kept>(id: string, what: string): Promise<T>;
  /** What was kept beside an object and is answered to nobody. */
  hiddenOf(id: string): Promise<Record<string, unknown>>;
  /** Keeps an object as it is from now on. */
  keep<T extends Kept>(object: T, more?: { account?: string; hidden?: object }): Promise<T>;
  /** Tells the platform's hook what happened to an object; some have no id. @param previous the fields that have changed, as they were @returns the event's name */
  publish(type: string, object: Named, previous?: object): Promise<string>;
  /** In whose account an object is. */
  accountOf(id: string): Promise<string>;
  /** Tells the hook of connected accounts what happened to an object of one. */
  notifyAccount(type: string, object: Named, account: string): Promise<void>;
  /** Tells the hook of accounts, which hears no more than which one it was. */
  publishThin(type: string, accountId: string): Promise<void>;
  /** The same books at another time, in seconds. */
  at(seconds: number): Books;
}

/**
 * Runs a call in one transaction, one after the other; what it wrote while it failed is not kept.
 * @param isWanted asked when its turn comes; a call that nobody waits for any more is refused
 */
export type InBooks = <T>(run: (books: Books) => Promise<T>, isWanted?: () => boolean) => Promise<T>;

const eventOf = (type: string, object: Named, created: number, previous?: object) => ({
  id: newObjectId('evt'),
  object: 'event',
  api_version: apiVersion,
  created,
  data: { object, ...(previous !== undefined && { previous_attributes: previous }) },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
});

export const daySeconds = dayMs / secondMs;
/** When money that came in can be paid out. */
const settleSeconds = 2 * daySeconds;

/** Works with the books as of a moment; what was written is kept when `run` is over. */
export async function withBooks<T>(tx: Tx, nowMs: number, run: (books: Books) => Promise<T>): Promise<T> {
  const drafts = openDrafts(tx);
  const result = await run(booksOver(drafts, nowMs));
  await drafts.write();
  return result;
}

function booksOver(drafts: Drafts, nowMs: number): Books {
  const now = Math.floor(nowMs / 1000);
  const at = new Date(nowMs);
  return {
    tx: drafts.tx,
    hasNews: drafts.hasNews,
    now,
    async find<T extends Kept>(id: string, what: string) {
      const found = await drafts.findBody(id);
      if (found === undefined) throw new SandboxError(404, 'resource_missing', `No such ${what}: '${id}'`);
      return found as T;
    },
    hiddenOf: async (id) => (await drafts.findBeside(id))?.hidden ?? {},
    async keep(object, { account = platform, hidden = {} } = {}) {
      drafts.keep(object, account, hidden);
      return object;
    },
    accountOf: async (id) => (await drafts.findBeside(id))?.account ?? platform,
    async publish(type, object, previous) {
      const event = eventOf(type, object, now, previous);
      drafts.note('stripe', event, at);
      return event.id;
    },
    notifyAccount: async (type, object, account) =>
      drafts.note('stripe-connect', { ...eventOf(type, object, now), account } as Kept, at),
    async publishThin(type, accountId) {
      const related_object = { id: accountId, type: 'v2.core.account', url: `/v2/core/accounts/${accountId}` };
      const event = { id: newObjectId('evt'), object: 'v2.core.event', type, livemode: false, related_object };
      drafts.note('stripe-v2', { ...event, created: at.toISOString() } as Kept, at);
    },
    at: (seconds) => booksOver(drafts, seconds * 1000),
  };
}

type LineAbout = Pick<Stripe.BalanceTransaction, 'type' | 'amount' | 'currency'> & {
  source: string;
  fee?: number;
  availableIn?: number;
};

/** A line in the books of an account. */
export async function writeLine(
  { keep, now }: Books,
  account: string,
  { type, amount, currency, source, fee = 0, availableIn = settleSeconds }: LineAbout,
): Promise<string> {
  const about = { type, amount, currency, source, fee, net: amount - fee, reporting_category: type };
  const line = makeLine({ ...about, created: now, available_on: now + availableIn });
  await keep(line, { account });
  return line.id;
}

export async function expireSession(books: Books, session: Stripe.Checkout.Session): Promise<Stripe.Checkout.Session> {
  if (session.status !== 'open')
    throw new SandboxError(
      400,
      'resource_invalid_state',
      'Only Checkout Sessions with a status of open can be expired.',
    );
  const expired = await books.keep({ ...session, status: 'expired' as const, url: null });
  await books.publish('checkout.session.expired', expired);
  return expired;
}
