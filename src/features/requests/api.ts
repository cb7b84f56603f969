import { implement } from '@orpc/server';
import { cutPage, readCursor } from '#features/albums/rules.ts';
import { insertAudit } from '#features/audit/store.ts';
import { saleCurrency } from '#features/orders/rules.ts';
import { findDisputeLimit, findPayoutAccount, payoutStatusOf } from '#features/payouts/finding-accounts.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { formatPrice } from '#kit/text.ts';
import { requireCreator, requireSetUp, requireSignIn } from '#wire/answer.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { ask, mailRequestCode, showOffer } from './asking/asking.ts';
import { findSettings, hasDisputedBefore, keepSettings } from './asking-store.ts';
import { type OwnRequest, requestsContract } from './contract.ts';
import {
  claimRequest,
  followRequest,
  listMine,
  mailProofLink,
  openDelivery,
  pay,
  readPaid,
  report,
  say,
} from './following/following.ts';
import { deliver } from './moves/delivering.ts';
import { move } from './moves/moving.ts';
import { leastRequestCents, mostOpenRequests, type Step, type Words } from './rules.ts';
import { countRequests, findRequest, listDone, listEvents, listOpen } from './store.ts';
import { showOwn, showRow } from './to-api.ts';

const answer = implement(requestsContract).$context<Context>();

const unset = {
  isOn: false,
  leastCents: leastRequestCents,
  priceList: [],
  days: 14,
  wontDo: '',
  mostOpen: mostOpenRequests,
};

/** @throws NOT_FOUND for one that is not theirs */
async function showOne({ engines, creator }: CreatorContext, requestId: string): Promise<OwnRequest> {
  const { database } = engines;
  const row = await findRequest(database, requestId);
  if (row?.creatorId !== creator.userId) throw refuse('NOT_FOUND');
  const settings = (await findSettings(database, creator.userId)) ?? unset;
  const { 'money.commissionPercent': feePercent } = await settingsOf(engines);
  const [events, hasDisputed] = [await listEvents(database, requestId), await hasDisputedBefore(database, requestId)];
  return showOwn(engines, row, { events, days: settings.days, feePercent, hasDisputed });
}

/** What a creator does with a request of theirs. @throws NOT_FOUND, GONE, DISPUTED, CONFLICT */
async function act(
  context: CreatorContext,
  requestId: string,
  step: Extract<Step, { by: 'creator' }>,
  words: Words = {},
): Promise<OwnRequest> {
  const { engines, creator, asSystem, requestId: call } = context;
  const { userId } = creator;
  await move(engines, { id: requestId, isMine: ({ creatorId }) => creatorId === userId }, step, { ...words, userId });
  const target = { type: 'request', id: requestId };
  const actor = { type: creator.kind, id: userId };
  await asSystem((tx) => insertAudit(tx, { actor, action: `request.${step.do}`, target, requestId: call }));
  return showOne(context, requestId);
}

/** @throws PAYOUTS_NOT_READY */
async function checkPayouts({ engines, creator }: CreatorContext): Promise<void> {
  if (payoutStatusOf(engines, await findPayoutAccount(engines, creator.userId)) !== 'complete')
    throw refuse('PAYOUTS_NOT_READY');
}

/** @throws PRICE_OUT_OF_RANGE for what costs more than they may ask for while many of their payments are disputed */
async function checkPrice({ engines, creator }: CreatorContext, cents: number): Promise<void> {
  const limit = await findDisputeLimit(engines, creator.userId, cents);
  if (limit === undefined) return;
  const most = formatPrice(limit, saleCurrency.toUpperCase());
  throw refuse('PRICE_OUT_OF_RANGE', {
    message: `At least 1% of your recent sales were disputed. Until that falls, a request can cost ${most} at most.`,
  });
}

export const requestsApi = answer.router({
  offer: answer.offer.handler(({ context, input }) => showOffer(context, input)),
  mailCode: answer.mailCode.handler(({ context, input: { email, ...of } }) => mailRequestCode(context, of, email)),
  ask: answer.ask.handler(({ context, input: { handle, slug, timeZone, ...params } }) =>
    ask(context, { handle, slug }, { ...params, timeZone }),
  ),
  show: answer.show.handler(({ context, input: { code } }) => followRequest(context, code)),
  mine: answer.mine.handler(({ context }) => listMine(context)),
  mailLink: answer.mailLink.handler(async ({ context, input: { code } }) => {
    await mailProofLink(context, code);
    return {};
  }),
  claim: answer.claim.handler(async ({ context, input: { code, token, timeZone } }) => {
    await claimRequest(context, { code, token, timeZone });
    return {};
  }),
  pay: answer.pay.handler(({ context, input: { code, ...params } }) => pay(context, code, params)),
  say: answer.say.handler(({ context, input }) => say(context, input)),
  report: answer.report.handler(({ context, input }) => report(context, input)),
  open: answer.open.handler(({ context, input: { code, timeZone } }) => openDelivery(context, code, timeZone)),
  paid: answer.paid.handler(({ context, input: { sessionId } }) => readPaid(context, sessionId)),
  settings: answer.settings.use(requireSignIn).handler(async ({ context: { engines, creator } }) => ({
    ...((await findSettings(engines.database, creator.userId)) ?? unset),
    account: payoutStatusOf(engines, await findPayoutAccount(engines, creator.userId)),
    currency: saleCurrency,
  })),
  changeSettings: answer.changeSettings.use(requireCreator).handler(async ({ context, input }) => {
    const { creator, work, requestId } = context;
    if (input.isOn) await checkPayouts(context);
    await work(async (tx) => {
      await keepSettings(tx, creator.userId, input);
      const actor = { type: creator.kind, id: creator.userId };
      await insertAudit(tx, { actor, action: 'requests.changed', details: { isOn: input.isOn }, requestId });
    });
    return {};
  }),
  list: answer.list.use(requireSignIn).handler(async ({ context, input: { filter, cursor, limit } }) => {
    const { engines, creator, work } = context;
    const { userId: creatorId } = creator;
    const { realm } = engines.payments;
    const settings = await findSettings(engines.database, creatorId);
    return work(async (tx) => {
      const counts = { ...(await countRequests(tx, realm, creatorId)), isOn: settings?.isOn === true };
      if (filter === 'open')
        return { rows: (await listOpen(tx, realm, creatorId)).map(showRow), ...counts, nextCursor: null };
      const rows = await listDone(tx, realm, { creatorId, after: readCursor(cursor), limit: limit + 1 });
      const { page, nextCursor } = cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt.toISOString(), id }));
      return { rows: page.map(showRow), ...counts, nextCursor };
    });
  }),
  one: answer.one.use(requireSignIn).handler(({ context, input: { requestId } }) => showOne(context, requestId)),
  accept: answer.accept.use(requireCreator).handler(async ({ context, input: { requestId, days } }) => {
    const { offeredCents } = await showOne(context, requestId);
    await checkPayouts(context);
    await checkPrice(context, offeredCents);
    return act(context, requestId, { by: 'creator', do: 'accept', days });
  }),
  counter: answer.counter.use(requireCreator).handler(async ({ context, input: { requestId, cents, days, text } }) => {
    await showOne(context, requestId);
    await checkPayouts(context);
    await checkPrice(context, cents);
    return act(context, requestId, { by: 'creator', do: 'counter', cents, days }, { text });
  }),
  decline: answer.decline
    .use(requireSetUp)
    .handler(({ context, input: { requestId, text } }) =>
      act(context, requestId, { by: 'creator', do: 'decline' }, { text }),
    ),
  cancel: answer.cancel
    .use(requireSetUp)
    .handler(({ context, input: { requestId, text } }) =>
      act(context, requestId, { by: 'creator', do: 'cancel' }, { text }),
    ),
  deliver: answer.deliver.use(requireSetUp).handler(async ({ context, input }) => {
    await deliver(context, input);
    return showOne(context, input.requestId);
  }),
});
