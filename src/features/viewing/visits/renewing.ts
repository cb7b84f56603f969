import type { Engines } from '#engines/engines.ts';
import { type Asker, findFactsOfVisit, type Question, type VisitFact } from '#features/access/store.ts';
import { signLease } from '#features/media/lease-token.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { Sample } from '../contract.ts';
import { termsOf } from '../leases/answering.ts';
import { leaseEndsAt } from '../leases/lending.ts';
import { decideGoing, type Going, type No } from '../refusals.ts';
import { type Credit, creditHeartbeat } from '../rules.ts';
import { type EndReason, endVisit, findLeasesOfVisit } from '../visits-store.ts';
import { type HeartbeatRow, saveHeartbeat, saveMovingHeartbeat } from './renewals-store.ts';

/** What a renewal says. */
export interface Renewal {
  visitId: string;
  samples: readonly Sample[];
  lookingAt?: string | undefined;
  idleMs: number;
  leaving: boolean;
  /** Leases that get new tokens. */
  tokensFor: readonly string[];
}

/** How long the leases hold from now on, and the new tokens that were asked for. */
export interface Renewed {
  expiresInMs: number;
  renewAfterMs: number;
  tokens: Record<string, string>;
  endsInMs?: number;
  /** Media that are shown no more: an open screen drops them. */
  gone?: string[];
}

/**
 * Renews a visit: the facts again, the time that was watched, then new tokens. Two statements, a third for tokens.
 * @throws UNAVAILABLE when there is too much to do, never in place of a refusal
 * @returns the refusal when access has ended; the time until then is credited all the same
 */
export async function renewVisit(
  { engines, isShedding }: Pick<Context, 'engines' | 'isShedding'>,
  renewal: Renewal,
  asker: Asker,
): Promise<Renewed | No> {
  const { visitId, leaving, idleMs } = renewal;
  const { now } = asker;
  const [question, terms] = await Promise.all([findFactsOfVisit(engines.database, visitId, asker), termsOf(engines)]);
  if (question?.visit?.state !== 'open' || !question.visit.goesOn) return asNo(decideGoing(question, now));
  // What was watched meanwhile is counted by the next renewal that there is time for.
  if (isShedding('renewals') && !leaving && decideGoing(question, now).ok)
    throw refuse('UNAVAILABLE', { retryAfter: 1 });
  const { visit } = question;
  const beat = { ...renewal, lookingAt: renewal.lookingAt, now: now.getTime() };
  const credit = creditHeartbeat({ ...visit, lastHeartbeatAt: visit.lastHeartbeatAt.getTime() }, beat, terms.idleMs);
  await keep(engines, question, visit, credit, { now, idleMs });
  const { facts } = question;
  const watchedMs = facts.watchedMs + credit.creditMs;
  const going = decideGoing({ ...question, facts: { ...facts, watchedMs } }, now);
  if (!going.ok) {
    await end(engines, visitId, going.endReason ?? 'left', now);
    return going;
  }
  if (leaving) await end(engines, visitId, 'left', now);
  if (!leaving && idleMs >= terms.idleMs) {
    await end(engines, visitId, 'idle', now);
    return asNo(decideGoing({ ...question, visit: { ...visit, state: 'closed', endReason: 'idle' } }, now));
  }
  return {
    expiresInMs: terms.leaseMs,
    renewAfterMs: terms.renewMs,
    tokens: leaving ? {} : await tokensOf(engines, question, renewal, leaseEndsAt(now, terms, going.until)),
    ...(question.gone.length > 0 && { gone: [...question.gone] }),
    ...(going.until !== undefined && { endsInMs: Math.max(0, going.until - now.getTime()) }),
  };
}

function asNo(going: Going): No {
  if (going.ok) throw new Error('An ended visit was decided to go on.');
  return going;
}

const end = (engines: Engines, visitId: string, reason: EndReason, now: Date) => {
  const isSoft = reason === 'left' || reason === 'idle';
  const state = isSoft ? ('closed' as const) : ('cut' as const);
  return endVisit(engines.database, { visitId, state, reason, now, closesScreen: !isSoft });
};

/** Writes the beat: a short statement for the usual one, the long one when a look ends or the visit becomes a view. */
async function keep(
  { database }: Engines,
  { grantId, creatorId, linkId, gone }: Question,
  { visitId, lastHeartbeatAt, currentMediaId }: VisitFact,
  { creditMs, closed, current, becomesView }: Credit,
  { now, idleMs }: { now: Date; idleMs: number },
): Promise<void> {
  const lastInputAt = new Date(now.getTime() - idleMs);
  const row: HeartbeatRow = { visitId, grantId: grantId ?? '', lastHeartbeatAt, now, lastInputAt, creditMs, current };
  const isUsual = closed.length === 0 && !becomesView && current.mediaId === currentMediaId;
  return isUsual
    ? saveHeartbeat(database, row)
    : saveMovingHeartbeat(database, { ...row, creatorId, linkId, gone, closed, becomesView });
}

/** Tokens of leases, none of a picture that left the link since it was lent. */
async function tokensOf(
  { database, keys }: Engines,
  { grantId = '', gone }: Question,
  { visitId, tokensFor }: Renewal,
  expiresAt: Date,
): Promise<Record<string, string>> {
  const leases = await findLeasesOfVisit(database, visitId, tokensFor);
  const kept = leases.filter(({ mediaId }) => !gone.includes(mediaId));
  return Object.fromEntries(
    kept.map(({ leaseId, packId }) => [leaseId, signLease(keys, { leaseId, packId, grantId }, expiresAt)]),
  );
}
