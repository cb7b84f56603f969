import { statement, type Tx } from '#engines/database/work.ts';
import type { KnownPerson } from './person-store.ts';

/** Whose rows an erasure takes. */
export type ErasedSubject = { kind: 'viewer' | 'buyer'; id: string };

/** What is kept of an erasure, without a name. */
export interface PersonCertificate {
  version: 1;
  askedAt: string;
  erasedAt: string;
  subjects: readonly ErasedSubject[];
}

export interface PersonErasure {
  id: string;
  email: string | null;
  viewerId: string | null;
  askedAt: Date;
  eraseAt: Date;
  state: 'waiting' | 'kept' | 'erasing' | 'done';
  erasingSince: Date | null;
  subjects: ErasedSubject[] | null;
  certificate: PersonCertificate | null;
}

const columns = `e.id, e.email, e.viewer_id as "viewerId", e.asked_at as "askedAt", e.erase_at as "eraseAt", e.state, e.erasing_since as "erasingSince",
  e.subjects, e.certificate`;
/** One that was asked for before an address was known is of the same person. */
const ofWhom = '(e.email = $1 or e.viewer_id = any($2::uuid[]))';

const begun = statement<{ id: string }>(
  'people_erasure_begun',
  `insert into people_erasures (id, email, viewer_id, asked_by, asked_at, erase_at) values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id`,
);

/** Notes that somebody is to be erased. @returns false when that was asked for before */
export async function insertErasure(
  tx: Tx,
  erasure: {
    id: string;
    email: string | null;
    viewerId: string | null;
    askedBy: 'viewer' | 'operator';
    askedAt: Date;
    eraseAt: Date;
  },
): Promise<boolean> {
  const { id, email, viewerId, askedBy, askedAt, eraseAt } = erasure;
  return (await tx.query(begun, [id, email, email === null ? viewerId : null, askedBy, askedAt, eraseAt])).length === 1;
}

const openOf = statement<PersonErasure>(
  'people_erasure_of',
  `select ${columns} from people_erasures e where ${ofWhom} and e.state in ('waiting', 'erasing') limit 1`,
);

/** The erasure of a person that was asked for and is not done. */
export const findErasureOf = async (
  source: Pick<Tx, 'query'>,
  { email, viewerIds }: Pick<KnownPerson, 'email' | 'viewerIds'>,
): Promise<PersonErasure | undefined> => (await source.query(openOf, [email, viewerIds]))[0];

const found = statement<PersonErasure>(
  'people_erasure_found',
  `select ${columns} from people_erasures e where e.id = $1`,
);

export const findErasure = async (source: Pick<Tx, 'query'>, id: string): Promise<PersonErasure | undefined> =>
  (await source.query(found, [id]))[0];

const kept = statement<{ id: string }>(
  'people_erasure_kept',
  `update people_erasures e set state = 'kept', kept_at = $3 where ${ofWhom} and e.state = 'waiting' and e.erase_at > $3 returning e.id`,
);

/** Calls an erasure off. @returns false when there is none, or it is too late */
export const keepPerson = async (
  tx: Tx,
  { email, viewerIds }: Pick<KnownPerson, 'email' | 'viewerIds'>,
  now: Date,
): Promise<boolean> => (await tx.query(kept, [email, viewerIds, now])).length > 0;

const due = statement<{ id: string }>(
  'people_erasures_due',
  `select id from people_erasures where state in ('waiting', 'erasing') and erase_at <= $1 order by erase_at limit 500`,
);

export const listDueErasures = async (tx: Tx, now: Date): Promise<string[]> =>
  (await tx.query(due, [now])).map(({ id }) => id);

const taken = statement<{ id: string }>(
  'people_erasure_taken',
  `update people_erasures set state = 'erasing', erasing_since = $2, subjects = $3 where id = $1 and state = 'waiting' and erase_at <= $2 returning id`,
);
const browsersForgotten = statement(
  'people_browsers_forgotten',
  `with proofs as (
  delete from buyer_browsers where buyer_id = $2
)
update viewer_devices set secret_hash = sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')) where viewer_id = any($1::uuid[])`,
);

/** Begins to erase somebody, unless that was called off: from now on no browser is theirs. @returns false when it was */
export async function takeErasure(tx: Tx, id: string, person: KnownPerson, now: Date): Promise<boolean> {
  const { viewerIds, buyerId } = person;
  const subjects: ErasedSubject[] = viewerIds.map((viewer) => ({ kind: 'viewer', id: viewer }));
  if (buyerId !== null) subjects.push({ kind: 'buyer', id: buyerId });
  if ((await tx.query(taken, [id, now, JSON.stringify(subjects)])).length === 0) return false;
  await tx.query(browsersForgotten, [viewerIds, buyerId]);
  return true;
}

const isTheirs = (of: string) => `(${of}.viewer_id = any($1::uuid[]) or ${of}.buyer_id = $2)`;

const payingNow = statement<{ is: boolean }>(
  'people_paying_now',
  `select exists (select from checkout_orders o where ${isTheirs('o')} and o.state = 'pending' and o.expires_at > $3) as is`,
);

/** Returns whether something is being paid by somebody just now. */
export const isPaying = async (
  tx: Tx,
  { viewerIds, buyerId }: Pick<KnownPerson, 'viewerIds' | 'buyerId'>,
  now: Date,
): Promise<boolean> => (await tx.query(payingNow, [viewerIds, buyerId, now]))[0]?.is === true;

const unsettled = statement<{ is: boolean }>(
  'people_money_open',
  `select exists (select from fan_subscriptions f where ${isTheirs('f')} and f.source = 'paid' and f.ended_at is null and f.retired_at is null)
  or exists (select from custom_requests r where ${isTheirs('r')} and r.closed_at is null)
  or exists (select from refunds x join checkout_orders o on o.id = x.order_id where ${isTheirs('o')} and x.state = 'pending' and o.retired_at is null)
  or exists (select from disputes d left join checkout_orders o on o.id = d.order_id
    where (d.viewer_id = any($1::uuid[]) or o.buyer_id = $2) and d.decided_at is null) as is`,
);

/** Returns whether money of somebody is on its way still, or a bank has not decided about it. */
export const isUnsettled = async (
  tx: Tx,
  { viewerIds, buyerId }: Pick<KnownPerson, 'viewerIds' | 'buyerId'>,
): Promise<boolean> => (await tx.query(unsettled, [viewerIds, buyerId]))[0]?.is === true;

const running = statement<{ id: string }>(
  'people_subscriptions_running',
  `select f.id from fan_subscriptions f where ${isTheirs('f')} and f.source = 'paid' and f.ended_at is null and f.retired_at is null and f.subscription_id is not null`,
);

/** What somebody is subscribed to and pays for. */
export const listRunning = async (
  tx: Tx,
  { viewerIds, buyerId }: Pick<KnownPerson, 'viewerIds' | 'buyerId'>,
): Promise<string[]> => (await tx.query(running, [viewerIds, buyerId])).map(({ id }) => id);

const passesEnded = statement(
  'people_passes_ended',
  `update fan_subscriptions f set ended_at = $3, synced_version = synced_version + 1 where ${isTheirs('f')} and f.source = 'pass' and f.ended_at is null`,
);
const stepsEmptied = statement(
  'people_steps_emptied',
  `update custom_request_events e set text = '' from custom_requests r where r.id = e.request_id and ${isTheirs('r')} and e.who = 'buyer' and e.text <> ''`,
);
const reasonsEmptied = statement(
  'people_reasons_emptied',
  `update refund_requests q set text = '' from checkout_orders o where o.id = q.order_id and ${isTheirs('o')} and q.text <> ''`,
);

/** Ends free passes, and takes what somebody wrote out of the steps that stay. To be called while their rows still lead to them. */
export async function emptyWords(
  tx: Tx,
  { viewerIds, buyerId }: Pick<KnownPerson, 'viewerIds' | 'buyerId'>,
  now: Date,
): Promise<void> {
  await tx.query(passesEnded, [viewerIds, buyerId, now]);
  for (const one of [stepsEmptied, reasonsEmptied]) await tx.query(one, [viewerIds, buyerId]);
}

const done = statement<{ id: string }>(
  'people_erasure_done',
  `update people_erasures set state = 'done', done_at = $2, email = null, viewer_id = null, certificate = $3 where id = $1 and state = 'erasing' returning id`,
);

/** @returns false when another process was quicker */
export const markErased = async (tx: Tx, id: string, now: Date, certificate: PersonCertificate): Promise<boolean> =>
  (await tx.query(done, [id, now, JSON.stringify(certificate)])).length === 1;
