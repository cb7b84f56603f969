import type { SoldKind } from '#features/orders/contract.ts';

/** What is known of a disputed payment, from our own rows. Moments are ISO 8601. */
export interface EvidenceFacts {
  kind: SoldKind;
  /** A tip on the creator's page, which opened nothing. */
  isOnPage: boolean;
  amountCents: number;
  currency: string;
  /** When whoever paid was on the page where it is ordered: of a subscription when it began; null where that order is gone. */
  orderedAt: string | null;
  /** What was said there of when money goes back, in the words of that day; null where they were not kept. */
  termsShown: string | null;
  /** A later month of a subscription, at which nobody was on a page. */
  isRenewal: boolean;
  paidAt: string;
  receiptNumber: number | null;
  creatorName: string;
  email: string | null;
  /** The rules of the link that were shown before paying, and which version of them. */
  policyVersion: number | null;
  policy: { openForMs?: number; viewBudgetMs?: number; maxVisits?: number } | null;
  devices: { browser: string | null; system: string | null; country: string | null; since: string }[];
  visits: {
    startedAt: string;
    watchMs: number;
    itemsSeen: number;
    country: string | null;
    browser: string | null;
    system: string | null;
  }[];
  /** When what was made to order was delivered, and when the buyer accepted it or had let the time to object go by. */
  delivery: { deliveredAt: string | null; acceptedAt: string | null; countedAt: string | null } | null;
  /** Of which keys were handed out: what may have been looked at. */
  items: { photos: number; videos: number; firstAt: string | null; lastAt: string | null };
  emails: { subject: string; state: string; at: string }[];
}
