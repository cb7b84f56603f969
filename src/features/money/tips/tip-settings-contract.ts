import * as z from 'zod';
import { leastCents, mostTipCents } from '#features/orders/rules.ts';
import { proseText } from '#kit/bounded-text.ts';

/** What is offered by one tap to whoever tips, and said to them afterwards. */
export const TipSettings = z.object({
  presetsCents: z
    .array(z.int().min(leastCents).max(mostTipCents))
    .length(4)
    .refine((all) => new Set(all).size === all.length, 'Choose four different amounts'),
  thanks: proseText(200, 'Use at most 200 characters'),
});
export type TipSettings = z.infer<typeof TipSettings>;
