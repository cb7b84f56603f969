import { createHash } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import { insertAudit } from '#features/audit/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { monthsLater } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { partnerCookie, readFollowed } from './rules.ts';
import { findPartner, insertReferral, type Partner } from './store.ts';

/** What is kept of the number by which one browser counts once. */
export const hashVisitor = (visitor: string): Buffer => createHash('sha256').update(`aff\0${visitor}`).digest();

interface SignUp {
  userId: string;
  /** Whether the partner is the same person as whoever signs up. */
  isSamePerson(partner: Partner): Promise<boolean>;
}

/**
 * Writes down which partner brought a new account, in the transaction that makes it one. An account that is its partner's own is written
 * down as void, so that it counts for nobody and is seen.
 */
export async function attributeSignUp(
  { caller, engines, now, requestId, clearCookie }: Context,
  tx: Tx,
  { userId, isSamePerson }: SignUp,
): Promise<void> {
  const followed = readFollowed(caller.cookie(partnerCookie));
  if (followed === undefined) return;
  // Who has taken their yes back is brought by no link any more.
  if (followed.source === 'link' && caller.cookie('pf_consent') !== 'yes') return;
  const partner = await findPartner(tx, followed.code);
  if (partner === undefined) return;
  const isVoid = await isSamePerson(partner);
  const months = (await settingsOf(engines))['affiliates.months'];
  const id = newId<'referral'>(now.getTime());
  const isNew = await insertReferral(tx, {
    id,
    partnerId: partner.id,
    userId,
    source: followed.source,
    visitorHash: hashVisitor(followed.visitor),
    now,
    endsAt: monthsLater(now, months),
    isSamePerson: isVoid,
  });
  if (!isNew) return;
  const details = { source: followed.source, isVoid };
  const target = { type: 'referral', id };
  await insertAudit(tx, { actor: { type: 'system' }, action: 'referral.attributed', target, details, requestId });
  clearCookie(partnerCookie);
}
