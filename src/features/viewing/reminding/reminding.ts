import type { Engines } from '#engines/engines.ts';
import type { Decision } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import { newId } from '#kit/ids.ts';
import { maskEmail } from '#kit/text.ts';
import type { No } from '../refusals.ts';
import { deleteReminders, findReminder, keepReminder } from './reminders-store.ts';

const system = { kind: 'system' } as const;

/** Returns whether a link has not begun, so that an address may be left for when it does. */
export const isNotYet = (decision: Decision): decision is Extract<Decision, { ok: false }> =>
  !decision.ok && decision.reason === 'NOT_YET';

interface Wanted {
  question: Question;
  decision: Extract<Decision, { ok: false }>;
  browserHash: Buffer;
  /** Proven with this call. */
  email: string;
  now: Date;
}

/** Notes that an address, which was just proven, is mailed when the link begins. */
export async function addReminder({ database }: Engines, { question, decision, ...wanted }: Wanted): Promise<void> {
  const { now } = wanted;
  const opensAt = new Date(decision.until ?? now);
  const row = { ...wanted, id: newId<'reminder'>(now.getTime()), linkId: question.linkId, opensAt };
  await database.work(system, (tx) => keepReminder(tx, row));
}

/**
 * Says at a link that has not begun where this browser will be reminded. @param forgets it wants to be reminded no more
 */
export async function withReminder(
  { database }: Engines,
  question: Question | undefined,
  decision: Decision,
  no: No,
  { browserHash, forgets }: { browserHash: Buffer; forgets: boolean },
): Promise<No> {
  if (question === undefined || !isNotYet(decision)) return no;
  const waiting = { linkId: question.linkId, browserHash };
  if (forgets) await database.work(system, (tx) => deleteReminders(tx, waiting));
  const email = await findReminder(database, waiting);
  return email === undefined ? no : { ...no, refusal: { ...no.refusal, reminder: maskEmail(email) } };
}
