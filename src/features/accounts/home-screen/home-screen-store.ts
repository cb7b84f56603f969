import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';

/** Notes that somebody went the way to the home screen to its end, or put it off. */
export async function noteHomeScreen(
  tx: Tx,
  userId: string,
  { isDone, now }: { isDone: boolean; now: Date },
): Promise<void> {
  await tx.db
    .updateTable('users')
    .set(
      isDone
        ? { home_screen_wizard_completed: true }
        : {
            home_screen_wizard_skips: sql`home_screen_wizard_skips + 1`,
            home_screen_wizard_skipped_at: now,
          },
    )
    .where('id', '=', userId)
    .execute();
}
