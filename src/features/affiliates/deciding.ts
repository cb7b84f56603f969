import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import {
  partnerApprovedEmail,
  partnerClosedEmail,
  partnerPausedEmail,
  partnerRejectedEmail,
} from '#features/notices/partner-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { giveAgain, reverseUndue, settleCommissions } from './commissions.ts';
import { keepReferral, voidReferral } from './commissions-store.ts';
import { type Acting, actorOf } from './paying.ts';
import { codeLength, type PartnerAct, spellCode, stateAfter, type VoidReason } from './rules.ts';
import { giveTerms, holdPartner, type PartnerRow, writeDecision, writeShare } from './store.ts';

const system = { kind: 'system' } as const;
/** So often another code is drawn when one is taken. */
const mostDraws = 10;

export type Outcome = 'done' | 'not_found' | 'not_now';

interface DecisionInput {
  affiliateId: string;
  act: PartnerAct;
  /** Told to the partner where they are rejected, paused or closed. */
  reason: string;
}

/** Decides about an application or a partner, with its email, in one transaction. */
export async function decidePartner(
  engines: Engines,
  acting: Acting,
  { affiliateId, act, reason }: DecisionInput,
): Promise<Outcome> {
  const { database, clock } = engines;
  const shareBps = (await settingsOf(engines))['affiliates.sharePercent'] * 100;
  const now = new Date(clock());
  return database.work(system, async (tx) => {
    const partner = await holdPartner(tx, affiliateId);
    if (partner === undefined) return 'not_found';
    const state = stateAfter(partner.state, act);
    if (state === undefined) return 'not_now';
    if (act === 'approve') await drawTerms(tx, affiliateId, shareBps);
    const note = act === 'approve' || act === 'resume' ? '' : reason;
    await writeDecision(tx, { id: affiliateId, state, note, by: acting.adminId, now });
    await audit(tx, acting, { action: `affiliate.${state}`, affiliateId, details: {} });
    await tell(engines, tx, { partner, act, reason, now });
    return 'done';
  });
}

async function drawTerms(tx: Tx, id: string, shareBps: number): Promise<void> {
  for (let draw = 0; draw < mostDraws; draw++) {
    const code = spellCode(crypto.getRandomValues(new Uint8Array(codeLength)));
    if (await giveTerms(tx, id, { code, shareBps })) return;
  }
  throw new Error('no code was free');
}

async function tell(
  { jobs, installation: { publicUrl } }: Engines,
  tx: Tx,
  { partner, act, reason, now }: { partner: PartnerRow; act: PartnerAct; reason: string; now: Date },
): Promise<void> {
  const page = `${publicUrl}/account/affiliate`;
  const email =
    (act === 'approve' && partnerApprovedEmail({ page })) ||
    (act === 'reject' && partnerRejectedEmail({ reason })) ||
    (act === 'pause' && partnerPausedEmail({ reason, page })) ||
    (act === 'close' && partnerClosedEmail({ reason, page }));
  if (!email || partner.email === '') return;
  await queueEmail(tx, jobs, { ...(partner.userId && { userId: partner.userId }), to: partner.email, now, ...email });
}

/** Gives a partner another share of the bills that are paid from now on. */
export async function changeShare(
  { database }: Engines,
  acting: Acting,
  { affiliateId, shareBps }: { affiliateId: string; shareBps: number },
): Promise<Outcome> {
  return database.work(system, async (tx) => {
    const partner = await holdPartner(tx, affiliateId);
    if (partner === undefined) return 'not_found';
    if (partner.shareBps === null) return 'not_now';
    await writeShare(tx, affiliateId, shareBps);
    const details = { fromBps: partner.shareBps, toBps: shareBps };
    await audit(tx, acting, { action: 'affiliate.share_changed', affiliateId, details });
    return 'done';
  });
}

/** Makes a referral void: what waits of its shares is taken back at once, and nothing more comes of it. */
export async function makeReferralVoid(
  engines: Engines,
  acting: Acting,
  { referralId, reason, note }: { referralId: string; reason: VoidReason; note: string },
): Promise<Outcome> {
  const isVoid = await engines.database.work(system, async (tx) => {
    const referral = await voidReferral(tx, referralId, { reason, note, now: new Date(engines.clock()) });
    if (referral === undefined) return false;
    const { affiliateId } = referral;
    await audit(tx, acting, { action: 'affiliate.referral_void', affiliateId, details: { reason } });
    return true;
  });
  if (!isVoid) return 'not_now';
  // Where this is cut off, the next round takes them back.
  await reverseUndue(engines);
  return 'done';
}

/** Lets a referral count that was void, for good: its shares wait again, and the bills that were paid meanwhile bring theirs. */
export async function restoreReferral(
  engines: Engines,
  acting: Acting,
  { referralId }: { referralId: string },
): Promise<Outcome> {
  const now = moneyNow(engines);
  const isKept = await engines.database.work(system, async (tx) => {
    const affiliateId = await keepReferral(tx, referralId, now);
    if (affiliateId === undefined) return false;
    await giveAgain(tx, referralId, now);
    await audit(tx, acting, { action: 'affiliate.referral_restored', affiliateId, details: {} });
    return true;
  });
  if (!isKept) return 'not_now';
  // Where this is cut off, the next round notes what is missing.
  await settleCommissions(engines);
  return 'done';
}

interface Done {
  action: string;
  affiliateId: string;
  details: Record<string, string | number>;
}

async function audit(tx: Tx, acting: Acting, { action, affiliateId, details }: Done): Promise<void> {
  const target = { type: 'affiliate', id: affiliateId };
  const { requestId } = acting;
  await insertAudit(tx, { actor: actorOf(acting), action, target, details, ...(requestId && { requestId }) });
}
