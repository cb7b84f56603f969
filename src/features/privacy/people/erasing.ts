import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { personErasedEmail } from '#features/notices/account-state-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { findFan } from '#features/orders/fans-store.ts';
import { syncFan } from '#features/orders/sync-fan.ts';
import { eraseRows } from '../retention/erasing-rows.ts';
import { mayEraseRows } from '../rules.ts';
import {
  emptyWords,
  findErasure,
  isPaying,
  isUnsettled,
  listDueErasures,
  listRunning,
  markErased,
  type PersonErasure,
  takeErasure,
} from './erasures-store.ts';
import { findPerson, hasAccount } from './person-store.ts';

const system = { kind: 'system' } as const;

/** Erases people without an account whose grace is over. What cannot be done to one now is tried again by the next round. */
export async function eraseDuePeople(engines: Engines): Promise<void> {
  const { database, clock, log } = engines;
  for (const id of await database.work(system, (tx) => listDueErasures(tx, new Date(clock()))))
    try {
      await erasePerson(engines, id);
    } catch (error) {
      log.error({ area: 'privacy', erasureId: id, err: error }, 'somebody could not be erased yet');
    }
}

/**
 * Takes an erasure one step further: while something is being paid it waits; then no browser is theirs any more; a round later, when
 * their money has gone its ways, their rows are deleted or emptied and they are mailed the certificate. Each step may be repeated.
 */
export async function erasePerson(engines: Engines, id: string): Promise<void> {
  const { database, clock } = engines;
  const now = new Date(clock());
  const erasure = await database.work(system, (tx) => findErasure(tx, id));
  if (erasure?.state === 'waiting') return begin(engines, erasure, now);
  if (erasure?.state !== 'erasing') return;
  if (!(await isSettled(engines, erasure, now))) return;
  const { viewerIds, buyerId } = subjectsOf(erasure);
  await database.work(system, (tx) => emptyWords(tx, { viewerIds, buyerId }, now));
  for (const viewerId of viewerIds) await eraseRows(database, 'viewer', viewerId);
  if (buyerId !== null) await eraseRows(database, 'buyer', buyerId);
  const { email } = erasure;
  const isOnlyTheirs = email !== null && !(await database.work(system, (tx) => hasAccount(tx, email)));
  if (isOnlyTheirs) await eraseRows(database, 'address', email);
  await finish(engines, erasure, now);
}

async function begin({ database }: Engines, erasure: PersonErasure, now: Date): Promise<void> {
  await database.work(system, async (tx) => {
    const person = await findPerson(tx, erasure);
    // Whoever is at the provider's page has what they pay for first.
    if (!(await isPaying(tx, person, now))) await takeErasure(tx, erasure.id, person, now);
  });
}

const subjectsOf = ({ subjects }: PersonErasure) => ({
  viewerIds: (subjects ?? []).filter(({ kind }) => kind === 'viewer').map(({ id }) => id),
  buyerId: (subjects ?? []).find(({ kind }) => kind === 'buyer')?.id ?? null,
});

/** Ends what is paid for every month. @returns false while money is on its way still, a bank decides, or custom work goes on */
async function isSettled(engines: Engines, erasure: PersonErasure, now: Date): Promise<boolean> {
  const { database, payments } = engines;
  const subjects = subjectsOf(erasure);
  if (!payments.isOff)
    for (const id of await database.work(system, (tx) => listRunning(tx, subjects))) await endSubscription(engines, id);
  const isOpen = await database.work(
    system,
    async (tx) => (await isPaying(tx, subjects, now)) || (await isUnsettled(tx, subjects)),
  );
  return mayEraseRows({ erasingSince: erasure.erasingSince ?? now, isOpen }, now);
}

async function endSubscription(engines: Engines, id: string): Promise<void> {
  const { database, payments } = engines;
  const subscriptionId = (await findFan(database, id))?.subscriptionId ?? undefined;
  if (subscriptionId === undefined) return;
  await withObjectLock(engines, subscriptionId, async () => {
    if ((await payments.findSubscription(subscriptionId)).endedAt === undefined) await payments.endPlan(subscriptionId);
  });
  await syncFan(engines, subscriptionId);
}

/** Notes that it is done and mails the certificate; the address goes with the same transaction. */
async function finish({ database, jobs }: Engines, erasure: PersonErasure, now: Date): Promise<void> {
  const { id, email, askedAt, subjects } = erasure;
  await database.work(system, async (tx) => {
    const certificate = {
      version: 1,
      askedAt: askedAt.toISOString(),
      erasedAt: now.toISOString(),
      subjects: subjects ?? [],
    } as const;
    if (!(await markErased(tx, id, now, certificate))) return;
    await insertAudit(tx, {
      actor: { type: 'system' },
      action: 'person.erased',
      target: { type: 'person_erasure', id },
      details: { subjects: certificate.subjects.length },
    });
    if (email === null) return;
    const words = personErasedEmail({ number: id, day: now.toISOString().slice(0, 10) });
    await queueEmail(tx, jobs, { to: email, now, ...words });
  });
}
