import type { Tx } from '#engines/database/work.ts';
import type { DemoEvent } from '../contract.ts';

/** A scene that somebody saw. */
export async function insertDemoEvent(tx: Tx, event: DemoEvent & { id: string; now: Date }): Promise<void> {
  await tx.db
    .insertInto('demo_events')
    .values({ id: event.id, path: event.path, meta: JSON.stringify(event.meta), created_at: event.now })
    .execute();
}

/** Forgets scenes that were seen before a moment. */
export async function forgetDemoEvents(tx: Tx, before: Date): Promise<void> {
  await tx.db.deleteFrom('demo_events').where('created_at', '<', before).execute();
}
