import type { Engines } from '#engines/engines.ts';
import { settle, slowNetwork, takeMail } from '#features/accounts/limits.ts';
import { findShownPage } from '#features/accounts/public-page.ts';
import { accountAccessOf, foldMailbox } from '#features/accounts/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { requestCode } from '#features/held/request-code.ts';
import { describeRange } from '#features/links/rules.ts';
import { requestCodeEmail } from '#features/notices/request-emails.ts';
import { saleCurrency } from '#features/orders/rules.ts';
import { findPayoutAccount, payoutStatusOf } from '#features/payouts/finding-accounts.ts';
import { featureSentences, isOn } from '#features/settings/features.ts';
import {
  callerKindOf,
  findPageVisitor,
  findRefusal,
  forPrograms,
  keepProvenBuyer,
  readViewerCookie,
} from '#features/viewing/buyers.ts';
import { checkMailedCode, mailCode } from '#features/viewing/mailed-codes.ts';
import { newId } from '#kit/ids.ts';
import { isolate } from '#kit/text.ts';
import { dayMs, zoneOrUtc } from '#kit/time.ts';
import { type Context, hasAccess } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { countOpen, findCreatorOfLink, findSettings, requestCodes } from '../asking-store.ts';
import type { Offer, RequestInput, RequestSettings } from '../contract.ts';
import { notifyAsked } from '../moves/notifying.ts';
import { answerMs, isFull, mostRequestCents, mostUnpaid } from '../rules.ts';
import { countUnpaid, findRequest, insertRequest, noteEvent, type Person } from '../store.ts';
import { briefRuleWords, findBriefFault } from './brief-filter.ts';

/** Requests of one address in a day. */
const mostPerDay = 5;

/** Said to whoever a link has let in. */
const notFromAlbum = "This album doesn't take requests.";

export interface Of {
  handle?: string | undefined;
  slug?: string | undefined;
}

interface Asked {
  userId: string;
  displayName: string;
  linkId: string | null;
  settings: RequestSettings;
}

/** Of whom something may be asked there; refused alike where nobody is, where nothing is taken, and where they cannot be paid. A link that is over says so. */
async function findAsked(context: Context, { handle, slug }: Of): Promise<Asked> {
  const { engines } = context;
  if (!(await isOn(engines, 'features.customRequests')))
    throw refuse('NOT_FOUND', { reason: 'ALBUM', message: featureSentences['features.customRequests'] });
  const creator = handle === undefined ? await findByLink(context, slug ?? '') : await findByHandle(engines, handle);
  const settings = creator && (await findSettings(engines.database, creator.userId));
  if (creator === undefined || settings?.isOn !== true) throw refuse('NOT_FOUND');
  const refusal = handle === undefined ? await findRefusal(context, slug ?? '') : undefined;
  if (refusal !== undefined) throw refuse('NOT_FOUND', { reason: 'LINK', message: refusal });
  if (!creator.isOffered) throw refuse('NOT_FOUND', { reason: 'ALBUM', message: notFromAlbum });
  if (payoutStatusOf(engines, await findPayoutAccount(engines, creator.userId)) !== 'complete')
    throw refuse('NOT_FOUND');
  return { ...creator, settings };
}

async function findByHandle(engines: Engines, handle: string) {
  const page = await findShownPage(engines, handle, new Date(engines.clock()));
  return page && { userId: page.userId, displayName: page.displayName, linkId: null, isOffered: true };
}

async function findByLink(context: Context, slug: string) {
  const { engines } = context;
  const secretHash = readViewerCookie(context);
  const found = secretHash && (await findCreatorOfLink(engines.database, slug, secretHash));
  const access = found && accountAccessOf(found, moneyNow(engines));
  return access?.isSetUp === true && !access.isStopped && hasAccess(access) ? found : undefined;
}

const refuseRobots = ({ caller }: Context) => {
  if (callerKindOf(caller.headers) === 'robot') throw refuse('NOT_FOUND', { message: forPrograms.refusal.title });
};

/** What is said to whoever wants to ask. @throws NOT_FOUND */
export async function showOffer(context: Context, of: Of): Promise<Offer> {
  await slowNetwork(context, 'request_offer', 300);
  const { engines } = context;
  const { userId, displayName, settings } = await findAsked(context, of);
  const open = await countOpen(engines.database, engines.payments.realm, userId);
  const { leastCents, priceList, days, wontDo } = settings;
  return {
    creatorName: displayName,
    leastCents,
    mostCents: mostRequestCents,
    priceList,
    days,
    wontDo,
    isFull: isFull(open, settings),
    currency: saleCurrency,
    isSandbox: engines.sandbox !== undefined,
  };
}

const enough = (creatorName: string) =>
  refuse('CONFLICT', {
    reason: 'UNPAID',
    message: `You already have ${mostUnpaid} requests with ${isolate(creatorName)} that aren't paid. You can ask for something else once one of them is paid, declined or withdrawn.`,
  });

/** @throws CONFLICT where somebody has as many unpaid requests with them as they may */
async function checkUnpaid(
  { database, payments }: Engines,
  who: Person & { creatorId: string; displayName: string },
): Promise<void> {
  if ((await countUnpaid(database, payments.realm, who)) >= mostUnpaid) throw enough(who.displayName);
}

/** Mails a code to an address, for this browser. @throws NOT_FOUND, RATE_LIMITED, CONFLICT */
export async function mailRequestCode(context: Context, of: Of, typed: string): Promise<{ resendAfterMs: number }> {
  const beganMs = performance.now();
  refuseRobots(context);
  const { engines } = context;
  const email = typed.trim().toLowerCase();
  await slowNetwork(context, 'ask_request');
  const { userId: creatorId, displayName } = await findAsked(context, of);
  const known = readViewerCookie(context);
  const visitor = known && (await findPageVisitor(engines.database, known, creatorId));
  // Of an address nothing is said before it is proven: that somebody has asked is theirs to know.
  await checkUnpaid(engines, { creatorId, displayName, viewerId: visitor?.viewerId });
  await takeMail(context, 'mail_request', email);
  const mailed = await mailCode(context, requestCodes, { subjectId: creatorId, email, write: requestCodeEmail });
  await settle(beganMs);
  return mailed;
}

/** @throws VALIDATION, PRICE_OUT_OF_RANGE */
function checkRequest(params: RequestInput, { leastCents, priceList }: RequestSettings, now: Date): void {
  const fault = findBriefFault(params.title, params.brief);
  if (fault !== undefined)
    throw refuse('VALIDATION', { field: 'brief', reason: fault, message: briefRuleWords[fault] });
  const isListed = priceList.some(({ cents }) => cents === params.offeredCents);
  const isPriced = params.offeredCents >= leastCents && params.offeredCents <= mostRequestCents;
  if (!isListed && !isPriced)
    throw refuse('PRICE_OUT_OF_RANGE', { field: 'offeredCents', message: describeRange(leastCents, mostRequestCents) });
  // A day is over everywhere a day later.
  if (params.wantedBy !== null && new Date(params.wantedBy).getTime() < now.getTime() - dayMs)
    throw refuse('VALIDATION', { field: 'wantedBy', message: 'Choose a day that is still to come' });
}

/** @throws RATE_LIMITED */
async function takeTurn({ engines, asSystem, now }: Context, email: string): Promise<void> {
  const key = hashKey(engines.keys, 'requests', foldMailbox(email));
  const { isOver, retryAfterSeconds } = await asSystem((tx) =>
    takeRate(tx, { key, limit: mostPerDay, windowSeconds: dayMs / 1000, now }),
  );
  if (isOver)
    throw refuse('RATE_LIMITED', { retryAfter: retryAfterSeconds, message: "You've asked often enough today." });
}

/**
 * Asks a creator to make something, with the code of the email. Nothing is paid yet.
 * @returns the code under which it is followed
 * @throws NOT_FOUND, VALIDATION with the rule that the brief breaks, PRICE_OUT_OF_RANGE, GONE, CONFLICT, RATE_LIMITED
 */
export async function ask(
  context: Context,
  of: Of,
  { emailCode, timeZone, ...params }: RequestInput & { emailCode: string; timeZone: string | undefined },
): Promise<{ code: string }> {
  refuseRobots(context);
  await slowNetwork(context, 'ask_request');
  const { engines, asSystem } = context;
  const { userId: creatorId, displayName, linkId, settings } = await findAsked(context, of);
  const now = moneyNow(engines);
  checkRequest(params, settings, now);
  const code = await checkMailedCode(context, requestCodes, {
    subjectId: creatorId,
    code: emailCode,
    field: 'emailCode',
  });
  const visitor = await findPageVisitor(engines.database, code.browserHash, creatorId);
  if (visitor?.isBlocked === true) throw refuse('NOT_FOUND');
  await checkUnpaid(engines, { creatorId, displayName, viewerId: visitor?.viewerId, email: code.email });
  await takeTurn(context, code.email);
  const id = newId<'request'>(now.getTime());
  await asSystem(async (tx) => {
    if (!(await requestCodes.spend(tx, code.id))) throw refuse('CONFLICT', { message: "You've already sent this." });
    const about = { secretHash: code.browserHash, visitor, email: code.email, timeZone };
    const { viewerId, buyerId } = await keepProvenBuyer(context, tx, about);
    const outcome = await insertRequest(tx, {
      ...params,
      ...engines.payments.realm,
      id,
      creatorId,
      creatorName: displayName,
      viewerId,
      buyerId,
      linkId,
      now,
      currency: saleCurrency,
      timeZone: zoneOrUtc(timeZone),
      actUntil: new Date(now.getTime() + answerMs),
    });
    if (outcome === 'enough') throw enough(displayName);
    if (outcome === 'full')
      throw refuse('CONFLICT', { message: `${displayName} isn't taking any more requests right now.` });
    const asked = { who: 'buyer', what: 'asked', text: '', amountCents: params.offeredCents, at: now } as const;
    await noteEvent(tx, id, asked);
    const row = await findRequest(tx, id);
    if (row !== undefined) await notifyAsked(engines, tx, row);
    await tx.publish({ kind: 'viewer.paid', creatorId });
  });
  return { code: requestCode(engines, id) };
}
