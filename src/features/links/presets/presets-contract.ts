import * as z from 'zod';
import { nameText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatingPromise, creatorPromise } from '#wire/promise.ts';
import { Policy } from '../policy.ts';

const tags = ['presets'];

/** Rules that are kept: without a password, an age and a day of the calendar, which are said again for each link. */
export const PresetRules = Policy.omit({ password: true, ageGate: true, notBefore: true });
export type PresetRules = z.infer<typeof PresetRules>;

/** When a link of a preset ends. */
const PresetExpiry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('after'), hours: z.int().min(1).max(8760) }),
  z.object({ kind: z.literal('never') }),
]);

/** Rules of a creator's own that stand beside the ready-made ones. */
export const LinkPreset = z.object({
  id: Uuid,
  name: z.string(),
  rules: PresetRules,
  expiry: PresetExpiry,
  /** New links begin with it. */
  isDefault: z.boolean(),
});
export type LinkPreset = z.infer<typeof LinkPreset>;

const name = nameText(40, 'Use at most 40 characters', 1, 'Give the preset a name');
const PresetInput = z.object({ presetId: Uuid });

export const presetsContract = {
  list: creatorPromise('none')
    .route({ method: 'GET', path: '/link-presets', tags })
    .input(z.object({}))
    .output(z.object({ presets: z.array(LinkPreset) })),
  create: creatingPromise('none')
    .route({ method: 'POST', path: '/link-presets', tags })
    .input(z.object({ name, rules: PresetRules, expiry: PresetExpiry }))
    .output(LinkPreset),
  /** Another name, or whether new links begin with it: then no other one is the default any more. */
  update: creatorPromise('preset')
    .route({ method: 'PATCH', path: '/link-presets/{presetId}', tags })
    .input(PresetInput.extend({ name: name.optional(), isDefault: z.boolean().optional() }))
    .output(LinkPreset),
  /** Links that were made with it keep their rules. */
  remove: creatorPromise('preset')
    .route({ method: 'DELETE', path: '/link-presets/{presetId}', tags })
    .input(PresetInput)
    .output(z.object({})),
};
