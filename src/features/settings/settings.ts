import type { Database } from '#engines/database/database.ts';
import type { Engines } from '#engines/engines.ts';
import type { Settings } from './rules.ts';
import { readSettings } from './store.ts';

const maxAgeMs = 30_000;

interface Kept {
  readAt: number;
  settings: Promise<Settings>;
}

const kept = new WeakMap<Database, Kept>();
const listening = new WeakMap<Database, Promise<unknown>>();

/** The settings in force, from memory: read anew when one was changed in any process, and after 30 s at the latest. */
export async function settingsOf({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<Settings> {
  await listenOnce(database);
  const now = clock();
  const known = kept.get(database);
  if (known !== undefined && Math.abs(now - known.readAt) < maxAgeMs) return known.settings;
  const settings = database.work({ kind: 'system' }, readSettings);
  kept.set(database, { readAt: now, settings });
  settings.catch(() => forget(database));
  return settings;
}

const forget = (database: Database) => void kept.delete(database);

/** A read that was under way when the change came is forgotten with it. */
function listenOnce(database: Database): Promise<unknown> {
  const known = listening.get(database);
  if (known !== undefined) return known;
  const opened = database.listen(
    ({ kind }) => kind === 'settings' && forget(database),
    () => forget(database),
  );
  listening.set(database, opened);
  opened.catch(() => listening.delete(database));
  return opened;
}
