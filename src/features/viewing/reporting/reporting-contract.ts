import * as z from 'zod';
import { ClientEventType } from '#features/security/contract.ts';
import { boundedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';

/** What an open screen noticed since its last report: how often of each type. */
export const EventReport = z.object({
  visitId: Uuid,
  /** Of the sender's own choice. A report that comes once more right after itself is counted once. */
  reportId: boundedText(40).min(1).optional(),
  events: z
    .array(z.object({ type: ClientEventType, count: z.int().min(1).max(100) }))
    .min(1)
    .max(ClientEventType.options.length),
  /** "390x844", also with its density "@3"; anything else is dropped. */
  screen: boundedText(60)
    .transform((size) => /^(\d{1,5}x\d{1,5})(@[\d.]{1,20})?$/.exec(size)?.[1])
    .optional(),
});
export type EventReport = z.infer<typeof EventReport>;

export const EventAnswer = z.object({
  /** To be shown to the viewer at once. */
  warning: z.string().optional(),
});
