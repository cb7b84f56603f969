import { createHmac } from 'node:crypto';
import type * as z from 'zod';
import type { Tx } from '#engines/database/work.ts';
import { serverKeys } from '#engines/keys/key-ring.ts';
import { insertAudit } from '#features/audit/store.ts';
import { accountClosedEmail, trialUsedEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { libraryOf, writePassword } from '../auth-store.ts';
import { endOwnSession } from '../browser-session.ts';
import { closeAccount } from '../closing-store.ts';
import type { SetupConsent, SetupProfile } from '../contract.ts';
import { findPasswordRefusal, hashPassword } from '../password.ts';
import {
  contentPolicyVersion,
  eraseMs,
  formsOfMailbox,
  isAdult,
  isFree,
  isStepOpen,
  type SetupStep,
  stepAfter,
  termsVersion,
} from '../rules.ts';
import { changeAvatar } from '../saving-avatars.ts';
import { deleteSessionsOf } from '../security-store.ts';
import { type Account, findAccount, holdAccount, isHandleConflict, isHandleTaken } from '../store.ts';
import { findWaitingPlan, openAccount, redeemTrial, saveSetupStep, takeWaitingPlan } from './setup-store.ts';

/**
 * The account of a person whose step may be saved now; earlier steps may be saved again until the end.
 * @throws EMAIL_UNCONFIRMED, CONFLICT
 */
async function accountAt({ asSystem, creator }: CreatorContext, step: SetupStep): Promise<Account> {
  const account = await asSystem((tx) => findAccount(tx, creator.userId));
  if (account === undefined) throw refuse('UNAUTHENTICATED');
  if (!account.emailVerified) throw refuse('EMAIL_UNCONFIRMED');
  if (!isStepOpen(step, account.setupStep)) throw refuse('CONFLICT');
  return account;
}

/** First step: a password, once; later it is changed, not set. */
export async function setUpPassword(context: CreatorContext, password: string): Promise<void> {
  const { engines, asSystem } = context;
  const account = await accountAt(context, 'password');
  if (account.passwordHash !== null) throw refuse('CONFLICT');
  const refusal = await findPasswordRefusal(password, account.email, 'password');
  if (refusal !== undefined) throw refusal;
  const [hash] = await Promise.all([hashPassword(password), libraryOf(engines)]);
  const isFirst = await asSystem(async (tx) => {
    if ((await holdAccount(tx, account.id))?.passwordHash !== null) return false;
    await writePassword(engines, tx, account.id, hash);
    await saveSetupStep(tx, account.id, stepAfter('password', account.setupStep));
    return true;
  });
  if (!isFirst) throw refuse('CONFLICT');
}

/** The refusal of a handle that somebody else has. */
export const refuseHandle = () => refuse('VALIDATION', { field: 'handle', message: 'This handle is taken' });

/** Second step: how they are called, and where they are. */
export async function setUpProfile(context: CreatorContext, profile: z.infer<typeof SetupProfile>): Promise<void> {
  const account = await accountAt(context, 'profile');
  await withFreeHandle(context, profile.handle, (tx) =>
    saveSetupStep(tx, account.id, stepAfter('profile', account.setupStep), profile),
  );
}

/** Saves something with a handle; the constraint decides when two people want the same one at once. */
export async function withFreeHandle(
  { asSystem, creator }: CreatorContext,
  handle: string,
  save: (tx: Tx) => Promise<void>,
): Promise<void> {
  const outcome = await asSystem(async (tx) => {
    if (await isHandleTaken(tx, handle, creator.userId)) return 'taken';
    await save(tx);
    return 'saved';
  }).catch((error: unknown) => {
    if (isHandleConflict(error)) return 'taken';
    throw error;
  });
  if (outcome === 'taken') throw refuseHandle();
}

/** Third step: date of birth and consents. Under 18 – they are asked once more – the account is closed and erased within a day. */
export async function setUpConsent(context: CreatorContext, consent: z.infer<typeof SetupConsent>): Promise<void> {
  const { engines, now, asSystem, requestId } = context;
  const account = await accountAt(context, 'consent');
  const actor = { type: 'creator', id: account.id } as const;
  if (!isAdult(consent.birthDate, account.timeZone, now)) {
    if (!consent.isBirthDateSure)
      throw refuse('VALIDATION', {
        field: 'birthDate',
        reason: 'UNSURE_BIRTH_DATE',
        message: `You entered ${consent.birthDate.slice(0, 4)} – is that right?`,
      });
    await endOwnSession(context);
    await asSystem(async (tx) => {
      await deleteSessionsOf(tx, account.id);
      await changeAvatar(tx, engines.jobs, account.id, { avatar: undefined, requestId });
      await closeAccount(tx, account.id, new Date(now.getTime() + eraseMs));
      await insertAudit(tx, { actor, action: 'account.closed_under_age', requestId });
      const message = accountClosedEmail({ eraseHours: eraseMs / hourMs });
      await queueEmail(tx, engines.jobs, { userId: account.id, to: account.email, now, ...message });
    });
    throw refuse('FORBIDDEN', { reason: 'UNDER_AGE', message: 'You must be 18 or older' });
  }
  await asSystem(async (tx) => {
    await saveSetupStep(tx, account.id, stepAfter('consent', account.setupStep), {
      birthDate: consent.birthDate,
      consents: { terms: termsVersion, contentPolicy: contentPolicyVersion, news: consent.wantsNews, now },
    });
    await insertAudit(tx, {
      actor,
      action: 'account.consented',
      requestId,
      details: { terms: termsVersion, contentPolicy: contentPolicyVersion },
    });
  });
}

/** Last step: the account opens, with a trial when its mailbox never had one. Who was invited is free without it, and keeps it. */
export async function finishSetup(context: CreatorContext): Promise<void> {
  const { engines, now, asSystem, requestId } = context;
  const account = await accountAt(context, 'first_step');
  if (account.setupStep !== 'first_step') throw refuse('CONFLICT');
  await asSystem(async (tx) => {
    const isInvited = isFree(account, now);
    const begun = isInvited ? undefined : await beginPlan(context, tx, account);
    const hasTrial = begun !== undefined;
    await openAccount(tx, account.id, begun);
    await insertAudit(tx, {
      actor: { type: 'creator', id: account.id },
      action: 'account.opened',
      requestId,
      details: { hasTrial },
    });
    if (hasTrial || isInvited) return;
    const message = trialUsedEmail({ signInLink: `${engines.installation.publicUrl}/auth` });
    await queueEmail(tx, engines.jobs, { userId: account.id, to: account.email, now, ...message });
  });
}

/** The plan that an account opens with: the one that was taken under its address, else a trial, when its mailbox never had one. */
async function beginPlan(context: CreatorContext, tx: Tx, { id, email }: Account) {
  const { engines, now } = context;
  const plan = await findWaitingPlan(tx, email);
  const isPaid = plan !== undefined && plan.status !== 'trialing';
  const isFirst = await redeemTrial(tx, hashesOf(context, email), id, now);
  if (!isFirst && !isPaid) return undefined;
  if (plan === undefined) {
    const trialDays = (await settingsOf(engines))['plan.trialDays'];
    return { status: 'trialing', trialEndsAt: new Date(now.getTime() + trialDays * dayMs) };
  }
  await takeWaitingPlan(tx, plan.id, id);
  return { status: plan.status, trialEndsAt: isPaid || plan.hasCard ? null : plan.trialEnd };
}

/** A mailbox as the list of used trials knows it: keyed, so that the list tells no address; under old keys and its old form as well. */
const hashesOf = ({ engines }: Context, email: string) =>
  formsOfMailbox(email).flatMap((form) =>
    serverKeys(engines.keys, 'pf1:trial').map((key) => createHmac('sha256', key).update(form).digest()),
  );
