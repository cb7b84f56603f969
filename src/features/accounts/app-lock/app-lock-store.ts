import { statement, type Tx } from '#engines/database/work.ts';

/** Keeps the PIN of a person's app lock, in the place of the one before. */
export async function writePin(tx: Tx, userId: string, pinHash: string, now: Date): Promise<void> {
  await tx.db
    .insertInto('app_locks')
    .values({ user_id: userId, pin_hash: pinHash, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ pin_hash: pinHash, created_at: now }))
    .execute();
}

/** Takes the app lock away; whatever it has closed is open again. */
export async function deletePin(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('app_locks').where('user_id', '=', userId).execute();
  await tx.db
    .updateTable('auth_sessions')
    .set({ away_at: null, wrong_pins: 0 })
    .where('user_id', '=', userId)
    .execute();
}

/** The stored PIN of a person; nothing when there is none. */
export async function findPin(tx: Tx, userId: string): Promise<string | undefined> {
  const query = tx.db.selectFrom('app_locks').select('pin_hash').where('user_id', '=', userId);
  return (await query.executeTakeFirst())?.pin_hash;
}

const left = statement(
  'session_left',
  `update auth_sessions s set away_at = least(coalesce(s.away_at, $2), $2)
   where s.id = $1 and exists (select 1 from app_locks k where k.user_id = s.user_id)`,
);

/** Notes since when a session's pages are out of sight; the first word counts. Without an app lock nothing is noted. */
export async function noteAway(tx: Tx, sessionId: string, since: Date): Promise<void> {
  await tx.query(left, [sessionId, since]);
}

const stayed = statement('session_stayed', 'update auth_sessions set away_at = null where id = $1 and away_at > $2');

/** A session's page is in sight again; one that has been locked since stays so. */
export async function forgetAway(tx: Tx, sessionId: string, lockedBefore: Date): Promise<void> {
  await tx.query(stayed, [sessionId, lockedBefore]);
}

const workedOn = statement(
  'session_worked_on',
  `update auth_sessions s set away_at = $2
   where s.id = $1 and (s.away_at is null or s.away_at > $3)
     and exists (select 1 from app_locks k where k.user_id = s.user_id)`,
);

/** A session's page is at work out of sight until `since`, from when on it counts as left; one that has been locked stays so. */
export async function noteWork(tx: Tx, sessionId: string, since: Date, lockedBefore: Date): Promise<void> {
  await tx.query(workedOn, [sessionId, since, lockedBefore]);
}

const tried = statement<{ wrong: number }>(
  'pin_tried',
  `update auth_sessions set wrong_pins = wrong_pins + 1 where id = $1 and wrong_pins < $2 returning wrong_pins as wrong`,
);

/** Counts a PIN as wrong before it is looked at, so that many at once are many. @returns nothing when none may be tried any more */
export async function takePinTry(tx: Tx, sessionId: string, most: number): Promise<number | undefined> {
  const [row] = await tx.query(tried, [sessionId, most]);
  return row?.wrong;
}

/** The right PIN: the session goes on. */
export async function openLock(tx: Tx, sessionId: string): Promise<void> {
  await tx.db.updateTable('auth_sessions').set({ away_at: null, wrong_pins: 0 }).where('id', '=', sessionId).execute();
}
