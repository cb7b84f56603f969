import { insertAudit } from '#features/audit/store.ts';
import { sendMedium } from '#features/media/queues.ts';
import { retryMedium as putBackMedium } from '#features/media/store.ts';
import { countForStaff } from '#features/requests/staff-store.ts';
import { dayMs } from '#kit/time.ts';
import { type AdminContext, hasScope } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { Desk } from '../acting.ts';
import type { ErrorEntry, ErrorGroup, FailedMedium, Today } from '../operations-contract.ts';
import { type BusinessRow, countBusiness } from './business-store.ts';
import { findCreatorOf, findErrorsBy, groupErrors, listFailedMedia } from './failures-store.ts';
import { countToday } from './today-store.ts';
import { countWaiting } from './waiting-store.ts';

const mostJobs = 100;

/** Figures that have one of as many days before beside them. */
type Shares = Pick<BusinessRow, 'trialsEnded' | 'trialsPaid' | 'payments' | 'disputes' | 'emails' | 'emailsReturned'>;

/** Shows how the week goes, and what waits for somebody; what money came only to those who have to do with it. */
export async function showToday({ asSystem, engines, admin, pulse }: AdminContext): Promise<Today> {
  const now = new Date(engines.clock());
  const livemode = !engines.installation.isSandbox;
  const jobs = (await engines.jobs.failed(mostJobs)).length;
  const { row, waits, business, customRequests } = await asSystem(async (tx) => ({
    customRequests: await countForStaff(tx, engines.payments.realm),
    business: await countBusiness(tx, engines.payments.realm, now),
    row: await countToday(tx, livemode, now),
    waits: await countWaiting(tx, engines.payments.realm, now),
  }));
  const week = (name: 'signUps' | 'uploads' | 'linksOpened' | 'salesCents' | 'feeCents' | 'refundedCents') => ({
    now: Number(row[name]),
    before: Number(row[`${name}Before`]),
  });
  const share = (part: keyof Shares, whole: keyof Shares) => ({
    part: { now: business[part], before: business[`${part}Before`] },
    whole: { now: business[whole], before: business[`${whole}Before`] },
  });
  const { payingAccounts, trialAccounts } = row;
  const { heldPayouts, disputes, disputesDueBy, refundRequests, providerEvents, partnerApplications, ...waiting } =
    waits;
  const money = {
    salesCents: week('salesCents'),
    feeCents: week('feeCents'),
    refundedCents: week('refundedCents'),
    recurringCents: business.recurringCents,
    endingCents: business.endingCents,
    trialsPaid: share('trialsPaid', 'trialsEnded'),
    disputed: share('disputes', 'payments'),
    payingAccounts,
    waiting: {
      heldPayouts,
      disputes,
      disputesDueBy,
      refundRequests,
      customRequests,
      providerEvents,
      partnerApplications,
    },
  };
  return {
    signUps: week('signUps'),
    uploads: week('uploads'),
    linksOpened: week('linksOpened'),
    activeCreators: { now: business.activeCreators, before: business.activeCreatorsBefore },
    emailsReturned: share('emailsReturned', 'emails'),
    disk: await showDisk(pulse),
    trialAccounts,
    money: hasScope(admin.adminScopes, 'finance') ? money : null,
    waiting: { ...waiting, jobs },
  };
}

/** Tells what the pulse last found on the disk. */
async function showDisk(pulse: AdminContext['pulse']): Promise<Today['disk']> {
  const disk = (await pulse.watch()).find(({ part }) => part === 'disk');
  return { light: disk?.light ?? 'unknown', finding: disk?.finding ?? '' };
}

/** Shows photos and videos that could not be made ready. */
export const showFailedMedia = ({ asSystem }: AdminContext): Promise<FailedMedium[]> => asSystem(listFailedMedia);

/** Has a failed photo or video made ready once more. @throws CONFLICT when it is not failed any more */
export async function retryMedium(context: AdminContext, mediaId: string): Promise<void> {
  const { asSystem, engines, admin, requestId } = context;
  const isBack = await asSystem(async (tx) => {
    const medium = await putBackMedium(tx, mediaId);
    if (medium === undefined) return false;
    const creatorId = await findCreatorOf(tx, mediaId);
    if (creatorId === undefined) return false;
    await sendMedium(engines, tx, { mediaId, creatorId, kind: medium.kind });
    await tx.publish({ kind: 'media.progress', creatorId, mediaId });
    const actor = { type: 'admin', id: admin.userId } as const;
    await insertAudit(tx, { actor, action: 'media.retried', target: { type: 'medium', id: mediaId }, requestId });
    return true;
  });
  if (!isBack) throw refuse('CONFLICT', { message: 'It is not failed any more, or it is held back for review.' });
}

/** Shows the errors of the last days in groups. */
export const showErrors = ({ asSystem, engines }: Desk, days: number): Promise<ErrorGroup[]> =>
  asSystem((tx) => groupErrors(tx, new Date(engines.clock() - days * dayMs)));

/** Finds errors by the id of a request, an error or an account. */
export const findErrors = ({ asSystem }: Desk, id: string): Promise<ErrorEntry[]> =>
  asSystem((tx) => findErrorsBy(tx, id.trim()));
