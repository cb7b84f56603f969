import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { foldMailbox } from '#features/accounts/rules.ts';
import { cutPage, readCursor } from '#features/albums/rules.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { accessAnsweredEmail } from '#features/notices/access-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { dayMs } from '#kit/time.ts';
import { requireCreator, requireSetUp } from '#wire/answer.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { grantEndsAt } from './asked-rules.ts';
import { letBackIn, letBackIntoLink, shutOut } from './blocking.ts';
import { listBlocked, wasLetIn } from './blocks-store.ts';
import {
  approveRequest,
  countPendingRequests,
  denyRequest,
  findAccessRequest,
  type LockedRequest,
  listAccessRequests,
  lockAccessRequest,
} from './deciding-store.ts';
import { listGrants, revokeGrant } from './grants-store.ts';
import { shutWords } from './pages/request-texts.ts';
import { findViewer } from './pseudonyms-store.ts';
import { orNothingOnRecursion, recordingFailures } from './recording-failures.ts';
import { type AccessRequest, accessContract, type RequestStatus } from './requests-contract.ts';
import { showBlocked, showGrant, showRequest } from './to-api.ts';

const answer = implement(accessContract).$context<Context>();

/** What a creator decides about who may see their albums. */
export const accessApi = {
  requests: answer.requests
    .use(requireCreator)
    .handler(({ context, input }) =>
      recordingFailures(context, 'access.requests', () =>
        orNothingOnRecursion(context, () => context.work((tx) => listRequests(context, tx, input)), noRequests),
      ),
    ),
  approve: answer.approve.use(requireCreator).handler(({ context, input: { requestId, span } }) =>
    work(context, 'access.approve', async (tx) => {
      const { creator, now } = context;
      const request = await lockToDecide(context, tx, requestId, 'approved');
      if (request !== undefined) {
        if (request.shut !== null) throw refuse('GONE', { message: shutWords[request.shut] });
        await approveRequest(tx, requestId, { creatorId: creator.userId, now, expiresAt: grantEndsAt(span, now) });
        await noteDecision(context, tx, requestId, { request, isApproved: true, isMailed: true });
      }
      return shownOne(context, tx, requestId);
    }),
  ),
  deny: answer.deny.use(requireCreator).handler(async ({ context, input }) => {
    const { requestId, text, mayAskAgain, isBlocked } = input;
    const days = (await settingsOf(context.engines))['access.askAgainDays'];
    return work(context, 'access.deny', async (tx) => {
      const { creator, now } = context;
      const request = await lockToDecide(context, tx, requestId, 'denied');
      if (request !== undefined) {
        const asksAgainAt = mayAskAgain && !isBlocked ? new Date(now.getTime() + days * dayMs) : null;
        await denyRequest(tx, requestId, { creatorId: creator.userId, now, text, asksAgainAt });
        if (isBlocked) await shutOut(context, tx, { viewerId: request.viewerId, reason: 'request' });
        // Denied without a word: nothing is mailed.
        await noteDecision(context, tx, requestId, { request, isApproved: false, isMailed: text !== '' && !isBlocked });
      }
      return shownOne(context, tx, requestId);
    });
  }),
  grants: answer.grants.use(requireCreator).handler(({ context: { work, creator, now }, input }) =>
    work(async (tx) => {
      const { albumId, limit } = input;
      const after = readCursor(input.cursor);
      const rows = await listGrants(tx, { creatorId: creator.userId, now, albumId, after, limit: limit + 1 });
      const { page, nextCursor } = cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt.toISOString(), id }));
      return { grants: page.map(showGrant), nextCursor };
    }),
  ),
  revokeGrant: answer.revokeGrant.use(requireCreator).handler(({ context, input: { grantId } }) =>
    context.work(async (tx) => {
      const { creator, now, requestId } = context;
      const creatorId = creator.userId;
      const viewerId = await revokeGrant(tx, grantId, { creatorId, now });
      if (viewerId === undefined) throw refuse('NOT_FOUND');
      await insertAudit(tx, {
        actor: { type: 'creator', id: creatorId },
        action: 'access.revoked',
        target: { type: 'access', id: grantId },
        requestId,
      });
      await tx.publish({ kind: 'access.ended', creatorId, viewerId });
      return {};
    }),
  ),
  blocked: answer.blocked.use(requireSetUp).handler(({ context: { work, creator }, input: { cursor, limit } }) =>
    work(async (tx) => {
      const after = readCursor(cursor);
      const rows = await listBlocked(tx, { creatorId: creator.userId, after, limit: limit + 1 });
      const { page, nextCursor } = cutPage(rows, limit, ({ blockedAt, linkId, viewerId }) => ({
        at: blockedAt.toISOString(),
        id: linkId ?? viewerId,
      }));
      return { viewers: page.map(showBlocked), nextCursor };
    }),
  ),
  block: answer.block.use(requireCreator).handler(({ context, input }) =>
    context.work(async (tx) => {
      const viewerId = await findViewer(tx, context.creator.userId, input.viewerId);
      if (viewerId === undefined || !(await shutOut(context, tx, { viewerId, reason: 'chosen' })))
        throw refuse('NOT_FOUND');
      return {};
    }),
  ),
  unblock: answer.unblock.use(requireSetUp).handler(({ context, input }) =>
    context.work(async (tx) => {
      const { linkId } = input;
      const viewerId = await findViewer(tx, context.creator.userId, input.viewerId);
      if (viewerId === undefined) throw refuse('NOT_FOUND');
      if (linkId === undefined) {
        if (!(await letBackIn(context, tx, viewerId))) throw refuse('NOT_FOUND');
        return {};
      }
      if (!(await wasLetIn(tx, context.creator.userId, viewerId, linkId))) throw refuse('NOT_FOUND');
      await letBackIntoLink(context, tx, { linkId, viewerId });
      return {};
    }),
  ),
};

const noRequests = { requests: [], pendingCount: 0, nextCursor: null };

interface Listing {
  status: 'pending' | 'all';
  albumId?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

async function listRequests({ creator, now }: CreatorContext, tx: Tx, { status, albumId, cursor, limit }: Listing) {
  const creatorId = creator.userId;
  const about = { creatorId, now, albumId, isPendingOnly: status === 'pending', after: readCursor(cursor) };
  const rows = await listAccessRequests(tx, { ...about, limit: limit + 1 });
  const { page, nextCursor } = cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt.toISOString(), id }));
  const pendingCount = await countPendingRequests(tx, creatorId, now, albumId);
  return { requests: page.map(showRequest), pendingCount, nextCursor };
}

/** One unit of work of a creator; why it failed is kept for the operator. */
const work = <T>(context: CreatorContext, component: string, run: (tx: Tx) => Promise<T>): Promise<T> =>
  recordingFailures(context, component, () => context.work(run));

/**
 * A pending request, held for its answer; undefined when it was answered just so before.
 * @throws NOT_FOUND, CONFLICT when it was answered otherwise, GONE when there is nothing to answer any more
 */
async function lockToDecide(
  { now }: CreatorContext,
  tx: Tx,
  requestId: string,
  wanted: Extract<RequestStatus, 'approved' | 'denied'>,
): Promise<LockedRequest | undefined> {
  const request = await lockAccessRequest(tx, requestId, now);
  if (request === undefined) throw refuse('NOT_FOUND');
  if (request.status === 'pending') return request;
  if (request.status === wanted) return undefined;
  if (request.status === 'withdrawn') throw refuse('GONE', { message: 'This request was withdrawn.' });
  if (request.status === 'expired') throw refuse('GONE', { message: 'This request has expired.' });
  throw refuse('CONFLICT', { message: 'This request has been answered already.' });
}

/** Tells everybody whom an answer concerns: the page that waits for it, the creator's other screens, and whoever left an address. */
async function noteDecision(
  { engines, creator, now, requestId: call }: CreatorContext,
  tx: Tx,
  requestId: string,
  { request, isApproved, isMailed }: { request: LockedRequest; isApproved: boolean; isMailed: boolean },
): Promise<void> {
  const creatorId = creator.userId;
  const { viewerId, slug, email } = request;
  await insertAudit(tx, {
    actor: { type: 'creator', id: creatorId },
    action: isApproved ? 'access.approved' : 'access.denied',
    target: { type: 'access', id: requestId },
    requestId: call,
  });
  await tx.publish({ kind: 'access.decided', creatorId, viewerId });
  if (!isMailed || email === null || !(await mayMail(engines, tx, email, now))) return;
  const page = `${engines.installation.publicUrl}/view/${slug}`;
  const words = accessAnsweredEmail({ isApproved, page });
  await tx.asSystem((system) =>
    queueEmail(system, engines.jobs, { to: email, now: new Date(engines.clock()), ...words }),
  );
}

/** An address that somebody typed may be anybody's: it gets a few answers a day, whoever gives them. */
const mailsOfAddress = 5;

async function mayMail({ keys }: Engines, tx: Tx, email: string, now: Date): Promise<boolean> {
  const key = hashKey(keys, 'access.answered', foldMailbox(email));
  return !(await takeRate(tx, { key, limit: mailsOfAddress, windowSeconds: dayMs / 1000, now })).isOver;
}

async function shownOne({ now }: CreatorContext, tx: Tx, requestId: string): Promise<AccessRequest> {
  const row = await findAccessRequest(tx, requestId, now);
  if (row === undefined) throw refuse('NOT_FOUND');
  return showRequest(row);
}
