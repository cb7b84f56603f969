import { implement } from '@orpc/server';
import { requireCreator } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { viewingContract } from './contract.ts';
import { askerOf } from './leases/leases.ts';
import { lendSegments } from './leases/video-leases.ts';
import { mailPassCode, showPass, takePass } from './passes/passes.ts';
import { tipOnPage } from './paying/page-tips.ts';
import { findStatus } from './paying/status.ts';
import { listOfferedTiers, subscribe } from './paying/subscribing.ts';
import { listMyAccesses, openAccess } from './recovery/my-access.ts';
import { claimPurchases, mailLink, openPurchase, readPurchases } from './recovery/recovery.ts';
import {
  agreeToNewPrice,
  changeSubscriptionEnd,
  checkSubscriptions,
  findCardPage,
  listMySubscriptions,
  openSubscription,
} from './recovery/subscriptions.ts';
import { reportEvents } from './reporting/reporting.ts';
import { readViewerCookie } from './viewer-cookie.ts';
import { renewVisit } from './visits/renewing.ts';
import { endVisit, isOwnVisit } from './visits-store.ts';

export { previewsApi } from './preview/previews-api.ts';

const answer = implement(viewingContract).$context<Context>();

/** What open screens and the studio ask about visits. */
export const viewingApi = {
  renew: answer.renew.handler(async ({ context, input, errors }) => {
    const asker = await askerOf(context, readViewerCookie(context));
    const renewed = await renewVisit(context, input, asker);
    if ('refusal' in renewed) throw errors.LINK({ data: renewed.refusal });
    return renewed;
  }),
  videoKeys: answer.videoKeys.handler(async ({ context, input, errors }) => {
    const lent = await lendSegments(context, input, await askerOf(context, readViewerCookie(context)));
    if ('refusal' in lent) throw errors.LINK({ data: lent.refusal });
    return lent;
  }),
  reportEvents: answer.reportEvents.handler(async ({ context, input, errors }) => {
    const answer = await reportEvents(context, input, await askerOf(context, readViewerCookie(context)));
    if ('refusal' in answer) throw errors.LINK({ data: answer.refusal });
    return answer;
  }),
  checkoutStatus: answer.checkoutStatus.handler(async ({ context, input: { sessionId } }) =>
    findStatus(context.engines, sessionId, readViewerCookie(context)),
  ),
  tipOnPage: answer.tipOnPage.handler(({ context, input }) => tipOnPage(context, input)),
  pass: answer.pass.handler(({ context, input: { token } }) => showPass(context, token)),
  askForPass: answer.askForPass.handler(({ context, input }) => mailPassCode(context, input)),
  takePass: answer.takePass.handler(({ context, input }) => takePass(context, input)),
  findPurchases: answer.findPurchases.handler(({ context, input }) => mailLink(context, input)),
  claimPurchases: answer.claimPurchases.handler(async ({ context, input: { token, timeZone } }) => {
    await claimPurchases(context, token, timeZone);
    return {};
  }),
  purchases: answer.purchases.handler(({ context }) => readPurchases(context)),
  openPurchase: answer.openPurchase.handler(({ context, input: { orderId, timeZone } }) =>
    openPurchase(context, orderId, timeZone),
  ),
  accesses: answer.accesses.handler(({ context }) => listMyAccesses(context)),
  openAccess: answer.openAccess.handler(({ context, input: { requestId, timeZone } }) =>
    openAccess(context, requestId, timeZone),
  ),
  creatorTiers: answer.creatorTiers.handler(({ context, input: { handle } }) => listOfferedTiers(context, handle)),
  subscribe: answer.subscribe.handler(({ context, input }) => subscribe(context, input)),
  subscriptions: answer.subscriptions.handler(({ context }) => listMySubscriptions(context)),
  cancelSubscription: answer.cancelSubscription.handler(async ({ context, input: { fanId } }) => {
    await changeSubscriptionEnd(context, fanId, true);
    return {};
  }),
  resumeSubscription: answer.resumeSubscription.handler(async ({ context, input: { fanId } }) => {
    await changeSubscriptionEnd(context, fanId, false);
    return {};
  }),
  agreeToPrice: answer.agreeToPrice.handler(async ({ context, input: { fanId, priceCents } }) => {
    await agreeToNewPrice(context, fanId, priceCents);
    return {};
  }),
  subscriptionCard: answer.subscriptionCard.handler(async ({ context, input: { fanId } }) => ({
    url: await findCardPage(context, fanId),
  })),
  checkSubscriptions: answer.checkSubscriptions.handler(async ({ context }) => {
    await checkSubscriptions(context);
    return {};
  }),
  openSubscription: answer.openSubscription.handler(({ context, input: { fanId, timeZone } }) =>
    openSubscription(context, fanId, timeZone),
  ),
  closeScreen: answer.closeScreen.use(requireCreator).handler(async ({ context, input: { visitId } }) => {
    const { now } = context;
    const isOwn = await context.work((tx) => isOwnVisit(tx, visitId));
    if (!isOwn) throw refuse('NOT_FOUND');
    await endVisit(context.engines.database, { visitId, state: 'cut', reason: 'security', now, closesScreen: true });
    return {};
  }),
};
