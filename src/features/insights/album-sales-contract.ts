import * as z from 'zod';
import { SoldKind } from '#features/orders/contract.ts';
import { Uuid } from '#kit/uuid.ts';

/** What somebody paid at a link to an album. */
export const AlbumSale = z.object({
  orderId: Uuid,
  kind: SoldKind,
  /** Of a subscription: what was paid for at once. */
  months: z.int(),
  state: z.enum(['paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'returning']),
  /** It goes back because the card's bank reported possible fraud. */
  isReported: z.boolean(),
  at: z.date(),
  /** What was paid, and what the creator's books have of it now. */
  grossCents: z.int(),
  keptCents: z.int(),
  currency: z.string(),
  isAnonymous: z.boolean(),
  /** Null for whoever wished not to be named, has not looked yet, or is gone. */
  viewer: z.object({ id: Uuid, name: z.string() }).nullable(),
  link: z.object({ id: Uuid, name: z.string() }),
  /** Albums that the link shows: what was paid is for all of them. */
  albumCount: z.int(),
});
export type AlbumSale = z.infer<typeof AlbumSale>;

/** A page of them, and what all come to. */
export const AlbumSales = z.object({
  sales: z.array(AlbumSale),
  nextCursor: z.string().nullable(),
  total: z.object({
    earnedCents: z.int(),
    sales: z.int(),
    currency: z.string(),
    /** Some of it was paid for several albums at once, and counts in full for each. */
    isBundled: z.boolean(),
  }),
});
