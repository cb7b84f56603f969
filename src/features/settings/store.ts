import type { Tx } from '#engines/database/work.ts';
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
  const row = { value: JSON.stringify(value), updated_at: now, updated_by: by };
  await tx.asSystem(async ({ db, publish }) => {
    await db
      .insertInto('app_settings')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
    await publish({ kind: 'settings' });
  });
}
