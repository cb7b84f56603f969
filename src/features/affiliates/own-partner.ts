import { insertAudit } from '#features/audit/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { dayMs } from '#kit/time.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { OwnPartner, PartnerPage } from './contract.ts';
import { countVoided, listPayoutsOf, sumPartner } from './figures-store.ts';
import { pendingMs } from './rules.ts';
import { claimPartner, findApplicationOf, findOwnPartner, type PartnerRow } from './store.ts';

/** Returns how an account stands with the programme, and what came of its link. */
export async function showOwn(context: CreatorContext): Promise<OwnPartner> {
  const { engines, creator, work, asSystem } = context;
  const settings = await settingsOf(engines);
  const terms = {
    months: settings['affiliates.months'],
    attributionDays: settings['affiliates.attributionDays'],
    payoutCents: settings['affiliates.payoutCents'],
    pendingDays: pendingMs / dayMs,
  };
  const own = await work((tx) => findOwnPartner(tx, creator.userId));
  if (own !== undefined) {
    const partner = await showPage(context, own);
    return { standing: 'partner', offer: null, partner, terms };
  }
  // An application stands under an address; this account has proven that it is theirs.
  const application = await asSystem((tx) => findApplicationOf(tx, creator.userId));
  if (application === undefined) return { standing: 'none', offer: null, partner: null, terms };
  if (application.state !== 'approved') return { standing: 'applied', offer: null, partner: null, terms };
  const offer = { name: application.name, sharePercent: (application.shareBps ?? 0) / 100 };
  return { standing: 'approved', offer, partner: null, terms };
}

/** Counts and sums as the system: the rows behind them are other people's accounts and bills. */
async function showPage({ engines, asSystem }: CreatorContext, own: PartnerRow): Promise<PartnerPage> {
  const { realm } = engines.payments;
  const { figures, payouts, notCounted } = await asSystem(async (tx) => ({
    figures: await sumPartner(tx, realm, own.id),
    payouts: await listPayoutsOf(tx, realm, own.id),
    notCounted: await countVoided(tx, own.id),
  }));
  const { voided: _, ...shown } = figures;
  const code = own.code ?? '';
  return {
    ...shown,
    notCounted,
    name: own.name,
    state: own.state === 'paused' || own.state === 'closed' ? own.state : 'approved',
    note: own.note,
    code,
    link: `${engines.installation.publicUrl}/signup?ref=${code}`,
    sharePercent: (own.shareBps ?? 0) / 100,
    payouts: payouts.map(({ state, ...payout }) => ({ ...payout, isPaid: state === 'paid' })),
  };
}

/** Takes up an approved application that was made with the address of this account. @throws CONFLICT when there is none */
export async function claim(context: CreatorContext): Promise<OwnPartner> {
  const { creator, now, requestId, asSystem } = context;
  const isClaimed = await asSystem(async (tx) => {
    const application = await findApplicationOf(tx, creator.userId);
    if (application?.state !== 'approved') return false;
    if (!(await claimPartner(tx, application.id, creator.userId, now))) return false;
    const target = { type: 'affiliate', id: application.id };
    const actor = { type: creator.kind, id: creator.userId };
    await insertAudit(tx, { actor, action: 'affiliate.claimed', target, requestId });
    return true;
  });
  if (!isClaimed) throw refuse('CONFLICT', { message: 'There is nothing to take up. Look at it again.' });
  return showOwn(context);
}
