import { expect } from 'vitest';
import type { SettingKey } from '#features/settings/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import type { TestApp } from './test-app.ts';

/** Changes settings as an operator does, and waits until they are in force. */
export async function writeSettings(app: TestApp, settings: Partial<Record<SettingKey, number>>): Promise<void> {
  const now = new Date(app.engines.clock());
  for (const [key, value] of Object.entries(settings))
    await app.engines.database.work({ kind: 'system' }, (tx) =>
      writeSetting(tx, { key: key as SettingKey, value, by: null, now }),
    );
  await expect.poll(async () => settingsOf(app.engines)).toMatchObject(settings);
}
