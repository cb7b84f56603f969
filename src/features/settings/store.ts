import { statement, type Tx } from '#engines/database/work.ts';
import { type SettingKey, type Settings, settingsFrom } from './rules.ts';

/** Every setting as it is in force. */
export async function readSettings(tx: Tx): Promise<Settings> {
  const rows = await tx.asSystem(({ db }) =>
    db.selectFrom('app_settings').select(['key', 'value']).limit(1000).execute(),
  );
  return settingsFrom(new Map(rows.map(({ key, value }) => [key, value])));
}

/** Stores a setting that its caller has checked and audits; it is in force on the next request of every process. */
export async function writeSetting<Key extends SettingKey>(
  tx: Tx,
  { key, value, by, now }: { key: Key; value: Settings[Key]; by: string | null; now: Date },
): Promise<void> {
  await storeValue(tx, key, { value: JSON.stringify(value), updated_at: now, updated_by: by });
}

async function storeValue(
  tx: Tx,
  key: SettingKey,
  row: { value: string; updated_at: Date; updated_by: string | null },
): Promise<void> {
  await tx.asSystem(async ({ db, publish }) => {
    await db
      .insertInto('app_settings')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
    await publish({ kind: 'settings' });
  });
}

const locked = statement('app_settings_locked', 'lock table app_settings in share row exclusive mode');

/** Lets no other change of a setting happen until this transaction ends; reading goes on. */
export const lockSettings = (tx: Tx): Promise<unknown> => tx.asSystem(({ query }) => query(locked, []));

/** Puts a setting back to its default; who did it stays known. */
export async function resetSetting(tx: Tx, key: SettingKey, { by, now }: { by: string | null; now: Date }) {
  await storeValue(tx, key, { value: 'null', updated_at: now, updated_by: by });
}

/** Who changed a setting last, and when. */
export interface SettingChange {
  key: string;
  at: Date;
  /** Null for the command line. */
  by: string | null;
  /** Null for an account that is gone as well. */
  byEmail: string | null;
}

/** Lists who changed which setting last. */
export const listSettingChanges = (tx: Tx): Promise<SettingChange[]> =>
  tx.asSystem(({ db }) =>
    db
      .selectFrom('app_settings as s')
      .leftJoin('users as u', (join) => join.onRef('u.id', '=', 's.updated_by').on('u.status', '<>', 'deleted'))
      .select(['s.key', 's.updated_at as at', 's.updated_by as by', 'u.email as byEmail'])
      .orderBy('s.key')
      .limit(1000)
      .execute(),
  );
