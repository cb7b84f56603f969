import type { Tx } from '#engines/database/work.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { accountExistsEmail, confirmationEmail, type EmailText } from '#features/notices/emails.ts';
import { addressKeptEmail } from '#features/notices/sign-in-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { requireFeature } from '#features/settings/features.ts';
import type { Settings } from '#features/settings/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { isSyntheticAddress } from '#kit/synthetic-address.ts';
import type { Context } from '#wire/context.ts';
import { giveSession, prepareSession } from '../browser-session.ts';
import { eraseAccount, holdUnconfirmed } from '../closing-store.ts';
import { isAddressKept } from '../email-change/email-change-store.ts';
import { type Mailing, settle, slowNetwork, takeMail } from '../limits.ts';
import { hasSecondFactor } from '../second-factor/second-factor-store.ts';
import { insertLead, spendProof } from '../security-store.ts';
import { type Account, findAccountByEmail, insertPendingUser, markEmailVerified } from '../store.ts';
import { hasAgreed, visitorOf } from '../visitor.ts';
import { noteArrival } from './arrivals.ts';
import { claimInvitation, lookAtInvitation } from './invitations.ts';
import { noteWhoInvited } from './invited-by.ts';
import { bindBrowser, lookAtProof, makeProof, type Proof, refuseProof } from './proof.ts';

/**
 * Trial sign-up, first step: an email with a link and a code, or one that says that the address is known already.
 * @param ask.token of an invitation, which is looked at here and spent by whoever confirms the address
 * @throws GONE for an invitation that has ended
 */
export async function signUp(
  context: Context,
  email: string,
  { token, claim }: { token?: string | undefined; claim?: Claim } = {},
): Promise<{ resendAfterMs: number }> {
  const beganMs = performance.now();
  await slowNetwork(context, 'sign_up');
  // The full check is nobody who joins.
  if (!isSyntheticAddress(email)) await requireFeature(context.engines, 'features.signUps');
  const invitationId = token === undefined ? undefined : (await lookAtInvitation(context, token)).id;
  const settings = await settingsOf(context.engines);
  await mailProof(context, { email, invitationId, bind: () => bindBrowser(context, settings), claim });
  await settle(beganMs);
  return { resendAfterMs: settings['accounts.resendSeconds'] * 1000 };
}

/** Notes in the email's own transaction that it is sent. @returns false when it need not be sent any more */
export type Claim = (tx: Tx) => Promise<boolean>;

interface Ask {
  email: string;
  invitationId?: string | undefined;
  bind: () => Buffer;
  claim?: Claim | undefined;
}

/**
 * Mails what confirms an address, or that it is known already.
 * @param ask.bind names the browser that may use it, as `bindBrowser` does
 * @throws RATE_LIMITED
 */
export async function mailProof(context: Mailing, { email, invitationId, bind, claim }: Ask): Promise<void> {
  const { engines, now, asSystem } = context;
  await takeMail(context, 'mail_confirm', email);
  const settings = await settingsOf(engines);
  const browser = bind();
  await asSystem(async (tx) => {
    if (claim && !(await claim(tx))) return;
    await insertPendingUser(tx, { id: newId<'user'>(now.getTime()), email, now });
    if (await isAddressKept(tx, email, now)) return sayAddressIsKept(context, tx, email);
    const account = await findAccountByEmail(tx, email);
    if (account === undefined) throw new Error('an address that was just noted is gone');
    // Who has confirmed the address but never chose a password goes on where they stopped.
    const isKnown = account.passwordHash !== null || account.status !== 'pending';
    const userId = isKnown ? undefined : account.id;
    const proof = await makeProof(context, tx, { userId, purpose: 'confirm', browser, invitationId, settings });
    const message = isKnown ? describeKnown(context, account) : emailOf(context, proof, settings);
    if (message) await queueEmail(tx, engines.jobs, { userId: account.id, to: email, now, ...message });
  });
}

function emailOf(
  { engines }: Mailing,
  { token, code }: { token: string; code: string },
  settings: Settings,
): EmailText {
  return confirmationEmail({
    link: `${engines.installation.publicUrl}/auth?action=confirm#${token}`,
    code,
    linkMinutes: settings['accounts.linkMinutes'],
    codeMinutes: settings['accounts.codeMinutes'],
  });
}

/** The address can still be put back on the account that it belonged to: nobody else has it before that is over. */
async function sayAddressIsKept({ engines, now }: Mailing, tx: Tx, email: string): Promise<void> {
  const noted = await findAccountByEmail(tx, email);
  if (noted !== undefined && (await holdUnconfirmed(tx, noted.id))) await eraseAccount(tx, noted.id);
  await queueEmail(tx, engines.jobs, { to: email, now, ...addressKeptEmail() });
}

/** A closed account is told nothing. */
function describeKnown({ engines }: Mailing, { status }: Account): EmailText | undefined {
  const { publicUrl } = engines.installation;
  if (status === 'deleted') return undefined;
  return accountExistsEmail({ signInLink: `${publicUrl}/auth`, passwordLink: `${publicUrl}/auth?action=forgot` });
}

/** The mailed link or code comes back: the address is theirs, and this browser is signed in. */
export async function confirmEmail(
  context: Context,
  proof: Proof,
): Promise<{ token?: string; hasInvitationEnded?: boolean }> {
  const { engines, now, requestId, asSystem } = context;
  await slowNetwork(context, 'confirm');
  const settings = await settingsOf(engines);
  const open = await prepareSession(context);
  const done = await asSystem(async (tx) => {
    const looked = await lookAtProof(context, tx, 'confirm', proof, settings['accounts.codeTries']);
    if (looked.is !== 'good') return looked;
    const { proofId, userId } = looked;
    // Whoever has set the account up meanwhile, up to a second factor, is not let in by an email of before.
    if (await hasSecondFactor(tx, userId)) return { is: 'ended' } as const;
    const spent = await spendProof(tx, proofId, now);
    if (!spent) return { is: 'ended' } as const;
    if (await markEmailVerified(tx, userId, now)) await noteWhoInvited(context, tx, userId);
    await insertAudit(tx, { actor: { type: 'creator', id: userId }, action: 'account.confirmed', requestId });
    const { invitationId } = spent;
    const hasPlace = invitationId === undefined || (await claimInvitation(context, tx, { invitationId, userId }));
    return { is: 'done', isInvited: invitationId !== undefined, hasPlace, session: await open(tx, userId) } as const;
  });
  if (done.is !== 'done') throw refuseProof(done);
  await noteArrival(context, done.session, { type: 'signup', page: done.isInvited ? '/free-join' : '/auth' });
  return { ...giveSession(context, done.session), ...(!done.hasPlace && { hasInvitationEnded: true }) };
}

interface Lead {
  email: string;
  source: string;
  page_path?: string | undefined;
  utm_source?: string | undefined;
  utm_medium?: string | undefined;
  utm_campaign?: string | undefined;
  referrer?: string | undefined;
}

/** Notes that somebody who has agreed to be measured is about to sign up; more than a few of one address or network are not worth noting. */
export async function captureLead(context: Context, lead: Lead): Promise<void> {
  const { caller, now, asSystem } = context;
  if (!hasAgreed(caller.cookie)) return;
  const { utm_source: source, utm_medium: medium, utm_campaign: campaign } = lead;
  const utm = Object.fromEntries(
    Object.entries({ source, medium, campaign }).filter(([, value]) => value !== undefined),
  );
  await asSystem(async (tx) => {
    if (await isLeadTooMuch(tx, context, lead.email)) return;
    await insertLead(tx, {
      id: newId<'lead'>(now.getTime()),
      vid: visitorOf(caller.cookie),
      email: lead.email,
      source: lead.source,
      pagePath: lead.page_path,
      utm: Object.keys(utm).length > 0 ? (utm as Record<string, string>) : undefined,
      referrer: lead.referrer,
      userAgent: caller.userAgent,
      now,
    });
  });
}

async function isLeadTooMuch(tx: Tx, { engines, caller, now }: Context, email: string): Promise<boolean> {
  const ofAddress = { key: hashKey(engines.keys, 'lead', email), limit: 3, windowSeconds: 86_400, now };
  const ofNetwork = {
    key: hashKey(engines.keys, 'leads', networkOf(caller.address)),
    limit: 100,
    windowSeconds: 3600,
    now,
  };
  const answers = [await takeRate(tx, ofAddress), await takeRate(tx, ofNetwork)];
  return answers.some(({ isOver }) => isOver);
}
