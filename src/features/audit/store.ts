import { createHmac } from 'node:crypto';
import { statement, type Tx } from '#engines/database/work.ts';
import { type KeyRing, serverKey } from '#engines/keys/key-ring.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import { idOrNull, windowOf } from './rules.ts';

export interface AuditEntry {
  actor: { type: 'visitor' | 'viewer' | 'creator' | 'admin' | 'system'; id?: string };
  /** Noun and what was done to it: `link.revoked`, `session.ended`. */
  action: string;
  target?: { type: string; id: string };
  /** What changed, masked: no email, slug, token or content. */
  details?: Record<string, string | number | boolean | null>;
  requestId?: string;
}

const auditEntry = statement(
  'audit_entry',
  `insert into audit_log (at, actor_type, actor_id, action, target_type, target_id, details, request_id)
   values (now(), $1, $2, $3, $4, $5, $6, $7)`,
);

/** Writes down what a person did, in the transaction that does it; dated by the database. */
export async function insertAudit(
  tx: Tx,
  { actor, action, target, details = {}, requestId }: AuditEntry,
): Promise<void> {
  const [actorId, targetId] = [idOrNull(actor.id), idOrNull(target?.id)];
  const values = [
    actor.type,
    actorId,
    action,
    target?.type ?? null,
    targetId,
    JSON.stringify(details),
    requestId ?? null,
  ];
  await tx.asSystem(({ query }) => query(auditEntry, values));
}

export interface ErrorEntry {
  /** Which part of the product met the error. */
  component: string;
  message: string;
  stack?: string;
  severity?: 'warning' | 'error' | 'critical';
  userId?: string;
  sessionId?: string;
  /** Pattern of the page's address, never an address with a slug in it. */
  url?: string;
  userAgent?: string;
  /** Of the answer that it was about. */
  requestId?: string;
}

/** Keeps an error for the operator, cut to a length that no browser can fill the disk with. */
export async function insertErrorLog(tx: Tx, entry: ErrorEntry, now: Date): Promise<void> {
  const { component, message, stack, severity = 'error', userId, sessionId, url, userAgent, requestId } = entry;
  await tx.asSystem(({ db }) =>
    db
      .insertInto('error_logs')
      .values({
        id: newId<'errorLog'>(now.getTime()),
        component: component.slice(0, 200),
        error_message: message.slice(0, 2000),
        error_stack: stack?.slice(0, 8000) ?? null,
        severity,
        user_id: idOrNull(userId),
        session_id: idOrNull(sessionId),
        url: url?.slice(0, 500) ?? null,
        user_agent: userAgent?.slice(0, 400) ?? null,
        request_id: requestId?.slice(0, 100) ?? null,
        created_at: now,
      })
      .execute(),
  );
}

/** Forgets the errors of before a moment. */
export async function forgetErrorLogs(tx: Tx, before: Date): Promise<void> {
  await tx.db.deleteFrom('error_logs').where('created_at', '<', before).execute();
}

const secrets = new WeakMap<KeyRing, Buffer>();

/**
 * Key of a rate limit that tells nobody whom it counts: `what` and a keyed hash.
 * @param about an address's network (`networkOf`), an email, an id; never stored
 */
export function hashKey(ring: KeyRing, what: string, about: string): string {
  const secret = secrets.get(ring) ?? serverKey(ring, 'pf1:rate');
  secrets.set(ring, secret);
  return `${what}:${createHmac('sha256', secret).update(`${what}\0${about}`).digest('base64url').slice(0, 22)}`;
}

export interface Rate {
  /** See `hashKey`. */
  key: string;
  /** Tries of one window that are fine. */
  limit: number;
  /** At most a day. */
  windowSeconds: number;
  now: Date;
  /** How many tries this one counts as; 0 only looks whether one more would be too many; default 1. */
  cost?: number;
}

export interface RateAnswer {
  isOver: boolean;
  /** Until the window ends. */
  retryAfterSeconds: number;
  /** Tries of this window, this one included. */
  count: number;
}

const rateTaken = statement<{ count: number }>(
  'rate_taken',
  `insert into rate_limits as r (key, window_start, count) values ($1, $2, $3)
   on conflict (key, window_start) do update set count = r.count + excluded.count returning count`,
);

/** Keys that were over their limit, with the window and the count seen: they need not be asked again in it. */
const over = new Map<string, { startsAtMs: number; limit: number; count: number }>();
const overMax = 10_000;

/**
 * Counts one try. A transaction that is rolled back takes the count back with it, so refuse after the commit.
 * A limit by network only delays, because hundreds of people may share an address; what locks somebody out counts an account or a viewer.
 */
export async function takeRate(tx: Tx, { key, limit, windowSeconds, now, cost = 1 }: Rate): Promise<RateAnswer> {
  const { startsAt, leftSeconds } = windowOf(now, windowSeconds);
  const startsAtMs = startsAt.getTime();
  const known = over.get(key);
  if (known?.startsAtMs === startsAtMs && known.limit === limit)
    return { isOver: true, retryAfterSeconds: leftSeconds, count: known.count };
  const [row] = await tx.asSystem(({ query }) => query(rateTaken, [key, startsAt, cost]));
  const count = row?.count ?? 0;
  const isOver = count + (cost === 0 ? 1 : 0) > limit;
  if (count > limit) remember(key, { startsAtMs, limit, count });
  return { isOver, retryAfterSeconds: leftSeconds, count };
}

function remember(key: string, seen: { startsAtMs: number; limit: number; count: number }): void {
  over.delete(key);
  const [oldest] = over.keys();
  if (over.size >= overMax && oldest !== undefined) over.delete(oldest);
  over.set(key, seen);
}

/** Forgets the windows that ended long ago. @returns how many */
export async function sweepRateLimits(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - 2 * dayMs);
  const { numDeletedRows } = await tx.asSystem(({ db }) =>
    db.deleteFrom('rate_limits').where('window_start', '<', before).executeTakeFirstOrThrow(),
  );
  return Number(numDeletedRows);
}
