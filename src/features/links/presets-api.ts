import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { creationOf, makeOnce } from '#features/audit/creations.ts';
import { insertAudit } from '#features/audit/store.ts';
import { newId } from '#kit/ids.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { checkReferences } from './change-link.ts';
import { mostPresets } from './presets/preset-rules.ts';
import { type LinkPreset, PresetRules, presetsContract } from './presets/presets-contract.ts';
import {
  countPresets,
  deletePreset,
  findPreset,
  insertPreset,
  listPresets,
  type PresetRow,
  renamePreset,
  setDefaultPreset,
} from './presets/presets-store.ts';
import { lockLinksOf } from './store.ts';

const answer = implement(presetsContract).$context<Context>();

const show = ({ id, name, policy, endsAfterHours, isDefault }: PresetRow): LinkPreset => ({
  id,
  name,
  rules: PresetRules.parse(policy),
  expiry: endsAfterHours === null ? { kind: 'never' } : { kind: 'after', hours: endsAfterHours },
  isDefault,
});

/** @throws NOT_FOUND */
async function shownOne(tx: Tx, id: string, creatorId: string): Promise<LinkPreset> {
  const row = await findPreset(tx, id, creatorId);
  if (row === undefined) throw refuse('NOT_FOUND');
  return show(row);
}

async function noteAct(tx: Tx, { creator, requestId }: CreatorContext, action: string, id: string): Promise<void> {
  const actor = { type: creator.kind, id: creator.userId };
  await tx.asSystem((system) => insertAudit(system, { actor, action, target: { type: 'preset', id }, requestId }));
}

/** A creator's own rules to begin links with. */
export const presetsApi = answer.router({
  list: answer.list.use(requireCreator).handler(async ({ context: { work, creator } }) => ({
    presets: (await work((tx) => listPresets(tx, creator.userId, mostPresets))).map(show),
  })),
  create: answer.create.use(requireCreator).handler(async ({ context, input }) => {
    const { creator, work, now } = context;
    const { name, rules, expiry } = input;
    const id = newId<'preset'>(now.getTime());
    const creation = creationOf(context, creator.userId, 'presets.create', input);
    return work(async (tx) => {
      const made = await makeOnce(tx, creation, id, async () => {
        await lockLinksOf(tx, creator.userId);
        await checkReferences(tx, rules, creator.userId);
        if ((await countPresets(tx, creator.userId)) >= mostPresets)
          throw refuse('CONFLICT', { message: `You can keep up to ${mostPresets} presets. Delete one first.` });
        const endsAfterHours = expiry.kind === 'after' ? expiry.hours : null;
        await insertPreset(tx, { id, creatorId: creator.userId, name, policy: rules, endsAfterHours, now });
        await noteAct(tx, context, 'preset.created', id);
      });
      return shownOne(tx, made, creator.userId);
    });
  }),
  update: answer.update.use(requireCreator).handler(({ context, input }) => {
    const { creator, work } = context;
    const { presetId: id, name, isDefault } = input;
    return work(async (tx) => {
      await lockLinksOf(tx, creator.userId);
      const before = await shownOne(tx, id, creator.userId);
      if (name !== undefined) await renamePreset(tx, { id, creatorId: creator.userId, name });
      if (isDefault !== undefined && isDefault !== before.isDefault)
        await setDefaultPreset(tx, creator.userId, isDefault ? id : undefined);
      await noteAct(tx, context, 'preset.changed', id);
      return shownOne(tx, id, creator.userId);
    });
  }),
  remove: answer.remove.use(requireCreator).handler(({ context, input: { presetId } }) => {
    const { creator, work } = context;
    return work(async (tx) => {
      if (!(await deletePreset(tx, presetId, creator.userId))) throw refuse('NOT_FOUND');
      await noteAct(tx, context, 'preset.deleted', presetId);
      return {};
    });
  }),
});
