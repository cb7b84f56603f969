import type { Engines } from '#engines/engines.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { syncDispute } from '../sync-dispute.ts';
import { isToSubmit } from './dispute-rules.ts';
import { postponeDispute } from './disputes-store.ts';
import {
  type EvidenceRow,
  findEvidence,
  findEvidenceFacts,
  keepEvidence,
  listUnbuilt,
  listWaitingEvidence,
  markSubmitted,
} from './evidence-store.ts';
import { wasOpened, writeEvidence } from './evidence-words.ts';

const system = { kind: 'system' } as const;

/** Builds evidence for what was disputed as soon as it is known, and submits it when its time has come. */
export async function answerDisputes(engines: Engines): Promise<void> {
  const { database, payments } = engines;
  if (payments.isOff) return;
  const { realm } = payments;
  const now = moneyNow(engines);
  for (const { id, orderId } of await database.work(system, (tx) => listUnbuilt(tx, realm)))
    await database.work(system, async (tx) => {
      const facts = await findEvidenceFacts(tx, orderId);
      if (facts === undefined) return;
      await keepEvidence(tx, id, { facts, fields: writeEvidence(facts), isOpened: wasOpened(facts), now });
    });
  const waiting = await database.work(system, (tx) => listWaitingEvidence(tx, realm, now));
  await doOneByOne(
    engines,
    waiting.filter((row) => isToSubmit(row, now)),
    {
      words: 'evidence could not be submitted',
      act: (row) => submit(engines, row),
      postpone: (tx, { id }, at) => postponeDispute(tx, id, at),
    },
  );
}

/** Whoever submits evidence and whoever objects to it wait for each other. */
export const answerLock = (disputeId: string): string => `answer:${disputeId}`;

async function submit(engines: Engines, { disputeId }: EvidenceRow): Promise<void> {
  const { database, payments } = engines;
  const isDone = await withObjectLock(engines, answerLock(disputeId), async () => {
    // Staff may have objected while others were submitted.
    const row = await database.work(system, (tx) => findEvidence(tx, payments.realm, disputeId));
    if (row === undefined || row.handedInAt !== null || !isToSubmit(row, moneyNow(engines))) return false;
    await sendEvidence(engines, row);
    return true;
  });
  if (isDone) await syncDispute(engines, disputeId);
}

async function sendEvidence(engines: Engines, row: EvidenceRow): Promise<void> {
  const { database, payments, log } = engines;
  const { disputeId, fields, attempt } = row;
  if (fields === null) return;
  try {
    await payments.submitEvidence(disputeId, fields, attempt);
    await database.work(system, (tx) => markSubmitted(tx, row, moneyNow(engines)));
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    log.error({ area: 'money', dispute: disputeId, err: error }, 'evidence was refused');
    await database.work(system, (tx) => markSubmitted(tx, row, moneyNow(engines), error.message));
  }
}
