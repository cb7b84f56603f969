import { implement } from '@orpc/server';
import { settingRules } from '#features/settings/rules.ts';
import { listSettingChanges, readSettings, type SettingChange } from '#features/settings/store.ts';
import { requireScope } from '#wire/answer.ts';
import type { AdminContext, Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { changeSetting, type SettingOrder } from '../change-setting.ts';
import { adminSettingsContract, type ListedSetting } from '../settings-contract.ts';

const answer = implement(adminSettingsContract).$context<Context>();
const owner = requireScope('owner');

/** What an owner reads of the settings and changes in them. */
export const adminSettingsApi = answer.router({
  list: answer.list.use(owner).handler(async ({ context }) => ({ settings: await listAll(context) })),
  change: answer.change.use(owner).handler(({ context, input }) => change(context, input)),
});

const listAll = ({ asSystem }: AdminContext): Promise<ListedSetting[]> =>
  asSystem(async (tx) => {
    const settings = await readSettings(tx);
    const changes = new Map((await listSettingChanges(tx)).map((change) => [change.key, change]));
    return (Object.keys(settingRules) as (keyof typeof settingRules)[]).map((key) => ({
      key,
      value: settings[key],
      changed: changedBy(changes.get(key)),
    }));
  });

const changedBy = (change: SettingChange | undefined): ListedSetting['changed'] =>
  change === undefined
    ? null
    : { at: change.at, by: change.by === null ? 'command_line' : 'administrator', email: change.byEmail };

/** @throws VALIDATION for what the setting does not take, CONFLICT when somebody else changed it meanwhile */
async function change(
  { asSystem, admin, requestId, now }: AdminContext,
  order: SettingOrder,
): Promise<{ value: number | string }> {
  const actor = { type: 'admin', id: admin.userId } as const;
  const outcome = await asSystem((tx) => changeSetting(tx, { actor, requestId, now }, order));
  if (outcome.kind === 'refused') throw refuse('VALIDATION', { field: 'value', message: outcome.because });
  if (outcome.kind === 'changed_meanwhile')
    throw refuse('CONFLICT', { message: 'Somebody else has changed this setting meanwhile. Look at it again.' });
  return { value: outcome.value };
}
