import type { Engines } from '#engines/engines.ts';
import { changeSetting as change } from '#features/admin/change-setting.ts';
import { isSettingKey, listSettings, parseSetting } from '#features/settings/rules.ts';
import { readSettings } from '#features/settings/store.ts';

const system = { kind: 'system' } as const;
const by = { type: 'system' } as const;

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
  const order = { key, value: text === 'default' ? null : parseSetting(key, text) };
  const now = new Date(clock());
  const outcome = await database.work(system, (tx) => change(tx, { actor: by, now }, order));
  if (outcome.kind === 'refused') throw new Error(outcome.because);
  if (outcome.kind === 'changed_meanwhile') throw new Error('It was changed meanwhile. Run this again.');
  return `${key} = ${shown(outcome.value)} (was ${shown(outcome.before)})`;
}
