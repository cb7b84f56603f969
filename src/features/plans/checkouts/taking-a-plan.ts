import { createHash } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { bindToMail } from '#features/accounts/confirming.ts';
import { slowNetwork } from '#features/accounts/limits.ts';
import { foldMailbox, trialCode } from '#features/accounts/rules.ts';
import { findAccount, findMe } from '#features/accounts/store.ts';
import { hashKey, type RateAnswer, takeRate } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { requireFeature } from '#features/settings/features.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId, newToken } from '#kit/ids.ts';
import { isSyntheticAddress } from '#kit/synthetic-address.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import {
  findOpenPlanCheckout,
  insertPlanCheckout,
  keepPlanSession,
  type NewPlanCheckout,
  type PlanCheckoutRow,
  settlePlanCheckout,
} from '../plan-checkouts-store.ts';
import { findPlanOf } from '../plans-store.ts';
import { daysLeft, isLive, isRunning, mailableMs, planCheckoutMs } from '../rules.ts';
import { syncPlanSession } from '../sync-plan.ts';
import { inTurn } from './trial-turns.ts';

const system = { kind: 'system' } as const;
const currency = 'usd';
const cookieSeconds = 86_400;
/** Checkouts that strangers begin in an hour. */
const mostTrials = { ofAddress: 5, ofBrowser: 10, freeOfNetwork: 30 };

const cookieName = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}pf_order`;
const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/** Of the secret that this browser has since it began a checkout; undefined without one. */
export function readOrderCookie({ caller, engines }: Pick<Context, 'caller' | 'engines'>): Buffer | undefined {
  const secret = caller.cookie(cookieName(engines.installation.isSecure));
  return secret !== undefined && /^[A-Za-z0-9]{22}$/.test(secret) ? hashOf(secret) : undefined;
}

/** One secret a browser: what it began before stays its own. */
function bindBrowser(context: Context): Buffer {
  const { caller, engines, setCookie } = context;
  const name = cookieName(engines.installation.isSecure);
  const known = readOrderCookie(context);
  const secret = known === undefined ? newToken() : (caller.cookie(name) ?? '');
  setCookie(name, secret, { maxAgeSeconds: cookieSeconds });
  return hashOf(secret);
}

/** @throws CONFLICT where nothing can be paid */
function checkOn({ payments }: Engines): void {
  if (payments.isOff)
    throw refuse('CONFLICT', { message: "Plans can't be bought on this server: it takes no payments." });
}

/**
 * Counts a checkout that a stranger begins, which is a page of the provider's: an address and a browser have so many, and a
 * network that begins very many waits.
 * @throws RATE_LIMITED
 */
async function takeTurn(context: Context, email: string): Promise<void> {
  const { engines, now, asSystem } = context;
  const browser = readOrderCookie(context)?.toString('hex');
  const counted = [
    { key: hashKey(engines.keys, 'trial_of_address', foldMailbox(email)), limit: mostTrials.ofAddress },
    ...(browser === undefined
      ? []
      : [{ key: hashKey(engines.keys, 'trial_of_browser', browser), limit: mostTrials.ofBrowser }]),
  ];
  const taken = await asSystem(async (tx) => {
    const answers: RateAnswer[] = [];
    for (const { key, limit } of counted) answers.push(await takeRate(tx, { key, limit, windowSeconds: 3600, now }));
    return answers;
  });
  const over = taken.filter(({ isOver }) => isOver).map(({ retryAfterSeconds }) => retryAfterSeconds);
  if (over.length > 0) throw refuseForNow(Math.max(...over));
  await slowNetwork(context, 'trials_of_network', mostTrials.freeOfNetwork);
}

/** A trial of a plan, or the plan itself, for whoever gives an address; the account comes afterwards. */
export async function takeTrial(
  context: Context,
  { email, code }: { email: string; code: string | undefined },
): Promise<string> {
  const { engines } = context;
  checkOn(engines);
  if (code !== undefined && code.trim().toUpperCase() !== trialCode)
    throw refuse('VALIDATION', {
      field: 'trialCode',
      message: "This trial code isn't valid. You can start without one and pay for the first month now.",
    });
  await takeTurn(context, email);
  if (!isSyntheticAddress(email)) await requireFeature(engines, 'features.signUps');
  const settings = await settingsOf(engines);
  const trialDays = code === undefined ? undefined : settings['plan.trialDays'];
  const browserHash = bindBrowser(context);
  const begun = { userId: null, email, browserHash, askingHash: await bindToMail(context, mailableMs), trialDays };
  return inTurn(context, () => open(engines, { ...begun, amountCents: settings['plan.priceCents'] }));
}

/** Their own plan, with a card; what is left of their trial stays free. @throws ALREADY_PURCHASED */
export async function takePlan(context: CreatorContext): Promise<string> {
  const { engines, creator } = context;
  checkOn(engines);
  const { userId } = creator;
  const now = moneyNow(engines);
  const [account, me, settings, plan] = await Promise.all([
    context.asSystem((tx) => findAccount(tx, userId)),
    findMe(engines.database, userId),
    settingsOf(engines),
    findPlanOf(engines.database, engines.payments.realm, userId),
  ]);
  if (account === undefined || me === undefined) throw refuse('UNAUTHENTICATED');
  if (account.setupStep !== 'done') throw refuse('SETUP_REQUIRED');
  if (creator.access.isAdmin || creator.access.isFree || (plan !== undefined && isRunning(plan, now)))
    throw refuse('ALREADY_PURCHASED');
  // It would be paid for twice once the pause is over.
  if (plan !== undefined && isLive(plan))
    throw refuse('CONFLICT', { message: 'Your plan is paused. Resume it under Billing.' });
  const trialEndsAt = me.subscriptionStatus === 'trialing' ? me.trialEndsAt : null;
  const begun = {
    userId,
    email: account.email,
    browserHash: null,
    askingHash: null,
    trialDays: daysLeft(trialEndsAt, now),
  };
  return open(engines, { ...begun, amountCents: settings['plan.priceCents'], customerId: plan?.customerId });
}

type Known = 'userId' | 'email' | 'trialDays' | 'browserHash' | 'askingHash' | 'amountCents';
interface Begun extends Pick<NewPlanCheckout, Known> {
  customerId?: string | undefined;
}

/** Opens a checkout; a creator has one at a time. @returns what opens the provider's frame in a browser */
async function open(engines: Engines, begun: Begun): Promise<string> {
  for (let round = 0; round < 3; round++) {
    const checkout = await begin(engines, begun);
    if (checkout === undefined) continue;
    const secret = await openSession(engines, begun, checkout);
    if (secret !== undefined) return secret;
  }
  throw refuse('CONFLICT');
}

type Opened = Pick<PlanCheckoutRow, 'id' | 'trialDays' | 'amountCents' | 'currency' | 'sessionId'>;

/** The checkout to go on with; undefined when the one before has just come to an end. */
async function begin(engines: Engines, begun: Begun): Promise<Opened | undefined> {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  const { userId } = begun;
  const known =
    userId === null ? undefined : await database.work(system, (tx) => findOpenPlanCheckout(tx, payments.realm, userId));
  if (known !== undefined) return goOn(engines, begun, known, now);
  const id = newId<'order'>(now.getTime());
  const expiresAt = new Date(now.getTime() + planCheckoutMs);
  const checkout = { ...begun, id, realm: payments.realm, currency, expiresAt, now };
  const isMine = await database.work(system, (tx) => insertPlanCheckout(tx, checkout));
  const { trialDays = null, amountCents } = begun;
  return isMine ? { id, trialDays, amountCents, currency, sessionId: null } : undefined;
}

/** One that was begun before goes on as long as it says the same. */
async function goOn(engines: Engines, begun: Begun, known: PlanCheckoutRow, now: Date): Promise<Opened | undefined> {
  const { database, payments } = engines;
  const isSame = known.trialDays === (begun.trialDays ?? null) && known.amountCents === begun.amountCents;
  if (isSame && known.endedAt === null && known.expiresAt > now) return known;
  if (known.sessionId !== null) {
    await payments.expireCheckout(known.sessionId);
    await syncPlanSession(engines, known.sessionId);
    return undefined;
  }
  await database.work(system, (tx) => settlePlanCheckout(tx, known.id, 'failed', undefined));
  return undefined;
}

/** @returns undefined when this checkout is over: it was taken, or has expired */
async function openSession(engines: Engines, begun: Begun, checkout: Opened): Promise<string | undefined> {
  const { database, payments, installation } = engines;
  const { email, customerId } = begun;
  const { id, trialDays, amountCents } = checkout;
  const order = {
    orderId: id,
    productName: 'Creator plan',
    amountCents,
    currency,
    email,
    customerId,
    trialDays: trialDays ?? undefined,
    // Who has an account gives a card: that is what they came for.
    asksForCard: begun.userId !== null || trialDays === null,
    returnUrl: `${installation.publicUrl}/post-checkout?session_id={CHECKOUT_SESSION_ID}`,
  };
  const opened =
    checkout.sessionId === null
      ? await payments.openPlanCheckout(order)
      : await payments.findPlanCheckout(checkout.sessionId);
  await database.work(system, (tx) => keepPlanSession(tx, id, opened.sessionId));
  if (opened.state === 'open') return opened.clientSecret;
  await syncPlanSession(engines, opened.sessionId);
  if (opened.state === 'complete' && begun.userId !== null) throw refuse('ALREADY_PURCHASED');
  return undefined;
}
