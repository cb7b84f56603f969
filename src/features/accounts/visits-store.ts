import type { Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';

/** One page that a visitor looked at. */
export interface Visit {
  path: string;
  referrer: string | null;
  utm: Readonly<Record<string, string>> | null;
}

/** Keeps what a visitor looked at. */
export async function insertVisits(
  tx: Tx,
  { vid, userAgent, visits, now }: { vid: string; userAgent: string; visits: readonly Visit[]; now: Date },
): Promise<void> {
  const rows = visits.map(({ path, referrer, utm }) => ({
    id: newId<'visit'>(now.getTime()),
    vid,
    path,
    referrer,
    utm: utm === null ? null : JSON.stringify(utm),
    user_agent: userAgent,
    created_at: now,
  }));
  await tx.db.insertInto('visit_events').values(rows).execute();
}

/** So far back a sign-in tells whose visits they were. */
const linkedDays = 90;

/** Links what a visitor has left to who signed in, as far as it is nobody's yet: a cookie that was stolen takes nothing from others. */
export async function linkVisitor(
  tx: Tx,
  { vid, userId, now }: { vid: string; userId: string; now: Date },
): Promise<void> {
  const since = new Date(now.getTime() - linkedDays * dayMs);
  for (const table of ['visit_events', 'lead_captures'] as const)
    await tx.db
      .updateTable(table)
      .set({ user_id: userId })
      .where('vid', '=', vid)
      .where('user_id', 'is', null)
      .where('created_at', '>=', since)
      .execute();
}

/** Keeps that somebody made an account or signed in. */
export async function insertConversion(
  tx: Tx,
  conversion: { sessionId: string; type: 'signup' | 'signin'; userId: string; page: string; now: Date },
): Promise<void> {
  const { sessionId, type, userId, page, now } = conversion;
  await tx.db
    .insertInto('conversion_events')
    .values({
      id: newId<'conversion'>(now.getTime()),
      session_id: sessionId,
      conversion_type: type,
      user_id: userId,
      conversion_value: 0,
      page_path: page,
      created_at: now,
    })
    .execute();
}

/** Forgets everything that a visitor has left. */
export async function forgetVisitor(tx: Tx, vid: string): Promise<void> {
  await tx.db.deleteFrom('visit_events').where('vid', '=', vid).execute();
  await tx.db.updateTable('lead_captures').set({ vid: null }).where('vid', '=', vid).execute();
}

/** Forgets what was measured before a day. */
export async function forgetMeasured(tx: Tx, before: Date): Promise<void> {
  for (const table of ['visit_events', 'conversion_events'] as const)
    await tx.db.deleteFrom(table).where('created_at', '<', before).execute();
}
