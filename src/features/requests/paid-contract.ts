import * as z from 'zod';

/** What became of a payment, by the reference in the address of the page to which it leads. */
export const PaidRequest = z.object({
  state: z.enum(['paid', 'done', 'processing', 'failed', 'disputed', 'returned', 'unknown']),
  reference: z.string().optional(),
  creatorName: z.string().optional(),
  amountCents: z.int().optional(),
  currency: z.string().optional(),
  dueAt: z.date().nullable().optional(),
  /** Masked. */
  email: z.string().optional(),
  /** Where it is followed; only for the browser that asked. */
  path: z.string().optional(),
  /** It was over before it was paid; what is said of that. */
  ended: z.object({ title: z.string(), text: z.string() }).optional(),
  /** What the card statement of whoever pays shows. */
  statementDescriptor: z.string(),
  isSandbox: z.boolean(),
});
export type PaidRequest = z.infer<typeof PaidRequest>;
