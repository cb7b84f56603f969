import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit, takeRate } from '#features/audit/store.ts';
import { notifyAtOnce } from '#features/notices/notices-store.ts';
import { recordSeen } from '#features/security/recording.ts';
import { countWrongPassword } from '../refused-store.ts';

const wrongBeforeAlarm = 200;
const daySeconds = 86_400;

/** Whose password was wrong. */
export interface Guessed {
  linkId: string;
  creatorId: string;
  /** Of the password. */
  version: number;
  now: Date;
}

/** Counts a wrong password; with the 200th of one password its creator is told, in the transaction that counts it. */
export async function noteWrongPassword(
  { database, jobs, clock }: Pick<Engines, 'database' | 'jobs' | 'clock'>,
  guessed: Guessed,
): Promise<void> {
  const { linkId, creatorId, version, now } = guessed;
  await database.work({ kind: 'system' }, async (tx) => {
    if ((await countWrongPassword(tx, linkId, version, now)) !== wrongBeforeAlarm) return;
    const target = { type: 'link', id: linkId };
    await insertAudit(tx, { actor: { type: 'system' }, action: 'link.passwordGuessed', target, details: { version } });
    await tx.publish({ kind: 'link.passwordGuessed', creatorId, linkId });
    const details = { tries: wrongBeforeAlarm };
    await recordSeen(tx, { creatorId, linkId, type: 'password_bruteforce', details, now });
    if (!(await isFirstToday(tx, guessed))) return;
    const notice = { event: 'password_guessed', linkId, tries: wrongBeforeAlarm } as const;
    await notifyAtOnce(tx, jobs, { userId: creatorId, notice, now: new Date(clock()) });
  });
}

/** A password that is changed and guessed again on the same day is no second email. */
async function isFirstToday(tx: Tx, { linkId, now }: Guessed): Promise<boolean> {
  const notified = { key: `viewing.guessed:${linkId}`, limit: 1, windowSeconds: daySeconds, now };
  return !(await takeRate(tx, notified)).isOver;
}
