import { timingSafeEqual } from 'node:crypto';
import { ORPCError } from '@orpc/server';
import type { Engines } from '#engines/engines.ts';
import { askForAccount, bindToMail, type Claim, mailForAccount } from '#features/accounts/confirming.ts';
import { askOnce } from '#features/books/asked-once.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { maskEmail } from '#kit/text.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { Arrival } from '../contract.ts';
import {
  findPlanCheckoutOfSession,
  listUnmailed,
  noteMailed,
  noteMailedAgain,
  type PlanCheckoutRow,
} from '../plan-checkouts-store.ts';
import { mailableMs } from '../rules.ts';
import { syncPlanSession } from '../sync-plan.ts';
import { readOrderCookie } from './taking-a-plan.ts';

const unknown: Arrival = { state: 'unknown', isTrial: false, email: null };

/** Returns whether it was begun here: by whoever is signed in, or in this browser. The name of a checkout in an address is not enough. */
async function isOwn(context: Context, { userId, browserHash }: PlanCheckoutRow): Promise<boolean> {
  const actor = await context.actor();
  if (userId !== null) return actor.kind !== 'visitor' && actor.userId === userId;
  const given = readOrderCookie(context);
  return given !== undefined && browserHash !== null && timingSafeEqual(given, browserHash);
}

/** A checkout that was begun here, asked about just now. Of anybody else's the provider is not asked. */
async function askOwn(context: Context, sessionId: string): Promise<PlanCheckoutRow | undefined> {
  const { engines } = context;
  const known = await findPlanCheckoutOfSession(engines.database, engines.payments.realm, sessionId);
  if (known === undefined || !(await isOwn(context, known))) return undefined;
  return askOnce(engines, ['plan checkout', sessionId], () => syncPlanSession(engines, sessionId));
}

/** What became of a checkout, for the page to which its payer comes back; the provider is asked now. */
export async function findArrival(context: Context, sessionId: string): Promise<Arrival> {
  const checkout = await askOwn(context, sessionId);
  if (checkout === undefined) return unknown;
  const isTrial = checkout.userId === null && checkout.trialDays !== null;
  const about = { isTrial, email: maskEmail(checkout.email) };
  if (checkout.state === 'open') return { ...about, state: 'checking' };
  if (checkout.state !== 'complete') return { ...about, state: 'failed' };
  const actor = await context.actor();
  if (actor.kind !== 'visitor') return { ...about, state: 'ready' };
  await mailOnce(context, checkout);
  return { ...about, state: 'needs_email', resendAfterMs: await findResendMs(context.engines, checkout) };
}

/** Counted from the last email, which was sent just now where none was before. */
async function findResendMs(engines: Engines, { mailedAt }: PlanCheckoutRow): Promise<number> {
  const fullMs = (await settingsOf(engines))['accounts.resendSeconds'] * 1000;
  const sinceMs = mailedAt === null ? 0 : moneyNow(engines).getTime() - mailedAt.getTime();
  return Math.min(fullMs, Math.max(0, fullMs - sinceMs));
}

/** The first time somebody comes back, an email is on its way that confirms the address; what a job mails works in this browser, too. */
async function mailOnce(context: Context, { id, email, mailedAt }: PlanCheckoutRow): Promise<void> {
  const claim: Claim = (tx) => noteMailed(tx, id, moneyNow(context.engines));
  if (mailedAt === null && (await isSent(askForAccount(context, email, { claim })))) return;
  await bindToMail(context, mailableMs);
}

/** @returns false when too much was mailed there: that may be for another browser, so a job tries again later */
async function isSent(mailing: Promise<unknown>): Promise<boolean> {
  try {
    await mailing;
    return true;
  } catch (error) {
    if (error instanceof ORPCError && error.status === 429) return false;
    throw error;
  }
}

/** Mails whoever has closed the page to which they came back, as it promises, or has never come to it. */
export async function mailPayersWhoLeft(engines: Engines, between: { after: Date; before: Date }): Promise<void> {
  const { database, payments } = engines;
  const asSystem: Context['asSystem'] = (run) => database.work({ kind: 'system' }, run);
  const context = { engines, now: new Date(engines.clock()), asSystem };
  for (const { id, email, askingHash } of await asSystem((tx) => listUnmailed(tx, payments.realm, between))) {
    if (askingHash === null) continue;
    const claim: Claim = (tx) => noteMailed(tx, id, moneyNow(engines));
    try {
      await isSent(mailForAccount(context, { email, browser: askingHash, claim }));
    } catch (error) {
      engines.log.warn({ area: 'money', checkoutId: id, err: error }, 'a payer who left could not be mailed');
    }
  }
}

/** The email once more. @throws GONE, RATE_LIMITED */
export async function mailAgain(context: Context, sessionId: string): Promise<{ resendAfterMs: number }> {
  const checkout = await askOwn(context, sessionId);
  if (checkout?.state !== 'complete') throw refuse('GONE');
  const claim: Claim = (tx) => noteMailedAgain(tx, checkout.id, moneyNow(context.engines));
  return askForAccount(context, checkout.email, { claim });
}
