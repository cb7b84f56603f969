import { implement } from '@orpc/server';
import { settingsOf } from '#features/settings/settings.ts';
import { requireScope } from '#wire/answer.ts';
import type { AdminContext, Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { changeShare, decidePartner, makeReferralVoid, type Outcome, restoreReferral } from '../deciding.ts';
import { adminAffiliatesContract } from '../desk-contract.ts';
import { findListed, findSigns, type ListedPartner, listPartners, listReferrals } from '../desk-store.ts';
import { makeRun, planRun, settleLine, totalOf } from '../paying.ts';
import { listRunLines } from '../payouts-store.ts';
import { listHints, type PartnerAct, type PartnerState } from '../rules.ts';

const answer = implement(adminAffiliatesContract).$context<Context>();
const owner = requireScope('owner');
const finance = requireScope('finance');
const mostListed = 500;

const actingOf = ({ admin, requestId }: AdminContext) => ({ adminId: admin.userId, requestId });

/** @throws NOT_FOUND, CONFLICT */
function requireDone(outcome: Outcome, message: string): Record<string, never> {
  if (outcome === 'not_found') throw refuse('NOT_FOUND');
  if (outcome === 'not_now') throw refuse('CONFLICT', { message });
  return {};
}

const decide = async (context: AdminContext, affiliateId: string, act: PartnerAct, reason = '') =>
  requireDone(
    await decidePartner(context.engines, actingOf(context), { affiliateId, act, reason }),
    'This was decided already. Look at it again.',
  );

/** What the operator sees of partners, decides about them and pays them. */
export const adminAffiliatesApi = answer.router({
  list: answer.list
    .use(finance)
    .handler(async ({ context, input }) => ({ partners: await showList(context, input.state) })),
  show: answer.show.use(finance).handler(({ context, input }) => showPartner(context, input.affiliateId)),
  approve: answer.approve.use(owner).handler(({ context, input }) => decide(context, input.affiliateId, 'approve')),
  reject: answer.reject
    .use(owner)
    .handler(({ context, input }) => decide(context, input.affiliateId, 'reject', input.reason)),
  pause: answer.pause
    .use(owner)
    .handler(({ context, input }) => decide(context, input.affiliateId, 'pause', input.reason)),
  resume: answer.resume.use(owner).handler(({ context, input }) => decide(context, input.affiliateId, 'resume')),
  close: answer.close
    .use(owner)
    .handler(({ context, input }) => decide(context, input.affiliateId, 'close', input.reason)),
  changeShare: answer.changeShare.use(owner).handler(async ({ context, input }) => {
    const { affiliateId, sharePercent } = input;
    const changed = await changeShare(context.engines, actingOf(context), {
      affiliateId,
      shareBps: sharePercent * 100,
    });
    return requireDone(changed, 'They are no partner yet.');
  }),
  voidReferral: answer.voidReferral
    .use(owner)
    .handler(async ({ context, input }) =>
      requireDone(await makeReferralVoid(context.engines, actingOf(context), input), 'It is void already.'),
    ),
  restoreReferral: answer.restoreReferral
    .use(owner)
    .handler(async ({ context, input }) =>
      requireDone(await restoreReferral(context.engines, actingOf(context), input), 'It counts already.'),
    ),
  planRun: answer.planRun.use(finance).handler(async ({ context: { engines } }) => {
    const lines = await planRun(engines);
    const leastCents = (await settingsOf(engines))['affiliates.payoutCents'];
    return { lines, totalCents: totalOf(lines), leastCents };
  }),
  makeRun: answer.makeRun.use(finance).handler(async ({ context, input }) => {
    const run = await makeRun(context.engines, actingOf(context), input);
    if (run === undefined)
      throw refuse('CONFLICT', { message: 'The list has changed since you read it. Look at it again.' });
    return { partners: run.partners };
  }),
  runs: answer.runs.use(finance).handler(async ({ context: { engines, asSystem } }) => ({
    lines: await asSystem((tx) => listRunLines(tx, engines.payments.realm)),
  })),
  settleLine: answer.settleLine.use(finance).handler(async ({ context, input }) => {
    const isSettled = await settleLine(context.engines, actingOf(context), input);
    if (!isSettled) throw refuse('CONFLICT', { message: 'This line has changed since you read it. Look at it again.' });
    return {};
  }),
});

async function showList({ engines, asSystem }: AdminContext, state: PartnerState | undefined) {
  const rows = await asSystem((tx) => listPartners(tx, engines.payments.realm, { state, limit: mostListed }));
  return rows.map(showListed);
}

const showListed = ({ shareBps, claimedAt, ...row }: ListedPartner) => ({
  ...row,
  sharePercent: shareBps === null ? null : shareBps / 100,
  isClaimed: claimedAt !== null,
});

/** @throws NOT_FOUND */
async function showPartner({ engines, asSystem }: AdminContext, id: string) {
  return asSystem(async (tx) => {
    const row = await findListed(tx, engines.payments.realm, id);
    if (row === undefined) throw refuse('NOT_FOUND');
    const referrals = await listReferrals(tx, id);
    return { ...showListed(row), referrals, hints: listHints(await findSigns(tx, id)) };
  });
}
