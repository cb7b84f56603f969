import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import {
  findSettingFault,
  isSettingKey,
  listSettings,
  parseSetting,
  type SettingKey,
  settingRules,
} from '#features/settings/rules.ts';
import { readSettings, writeSetting } from '#features/settings/store.ts';

const system = { kind: 'system' } as const;

/** @returns every setting in lines: value, default, bounds and sentence; changed ones are marked */
export async function describeSettings({ database }: Pick<Engines, 'database'>): Promise<string> {
  const lines = listSettings(await database.work(system, readSettings));
  return lines
    .flatMap(({ key, value, default: usual, bounds, about }) => [
      `${value === usual ? ' ' : '*'} ${key} = ${shown(value)}`,
      `    default ${shown(usual)} · ${bounds} · ${about}`,
    ])
    .join('\n');
}

const shown = (value: number | string) => (value === '' ? '(empty)' : String(value));

/**
 * Changes one setting, audited; it is in force on the next request of every process.
 * @returns what to print
 * @throws a sentence that says what is wrong
 */
export async function changeSetting(
  { database, clock }: Pick<Engines, 'database' | 'clock'>,
  key: string,
  text: string | undefined,
): Promise<string> {
  if (!isSettingKey(key)) throw new Error(`There is no setting "${key}". \`pf settings\` lists them all.`);
  if (text === undefined) throw new Error(`Give a value: pf set ${key} VALUE`);
  const value = parseSetting(key, text);
  const now = new Date(clock());
  return database.work(system, async (tx) => {
    const before = await readSettings(tx);
    const fault = findSettingFault(before, key, value);
    if (fault !== undefined || value === undefined) throw new Error(fault);
    await writeSetting(tx, { key, value, by: null, now });
    await insertAudit(tx, {
      actor: { type: 'system' },
      action: 'setting.changed',
      details: detailsOf(key, before[key], value),
    });
    return `${key} = ${shown(value)} (was ${shown(before[key])})`;
  });
}

/** A text may be the slug of a link, which the log never holds. */
const detailsOf = (key: SettingKey, before: number | string, value: number | string) =>
  settingRules[key].kind === 'number' ? { key, before, value } : { key };
