import type { Movement } from '#engines/payments/payments.ts';

/** One account of the books and what a transaction puts into it; all entries of one add up to zero. */
export interface Entry {
  key: string;
  kind: 'asset' | 'liability' | 'income' | 'expense' | 'clearing' | 'external';
  amountCents: number;
}

/** Returns what a creator is owed, as a debt of the platform: negative while there is something. */
export const creatorKey = (accountId: string): string => `liability:creator:${accountId}`;
/** What lies in a creator's account at the provider. */
export const custodyKey = (accountId: string): string => `custody:${accountId}`;

const stripe = (amountCents: number): Entry => ({ key: 'asset:stripe', kind: 'asset', amountCents });
export const clearing = (amountCents: number): Entry => ({ key: 'clearing:refunds', kind: 'clearing', amountCents });
const processor = (amountCents: number): Entry => ({ key: 'expense:processor', kind: 'expense', amountCents });
const disputeFee = (amountCents: number): Entry => ({ key: 'expense:dispute_fee', kind: 'expense', amountCents });
export const platformFee = (amountCents: number): Entry => ({
  key: 'income:platform_fee',
  kind: 'income',
  amountCents,
});
const ownSale = (sold: string | undefined, amountCents: number): Entry => ({
  key: sold === 'credits' ? 'income:credits' : 'income:subscription',
  kind: 'income',
  amountCents,
});
const losses = (amountCents: number): Entry => ({ key: 'expense:loss', kind: 'expense', amountCents });
/** What a lost dispute costs the platform: what it earned with its own sale, else a loss. */
export const lossOf = (
  amountCents: number,
  { isOwnSale, sold }: { isOwnSale: boolean; sold?: string | undefined },
): Entry => (isOwnSale ? ownSale(sold, amountCents) : losses(amountCents));
const creator = (accountId: string, amountCents: number): Entry => ({
  key: creatorKey(accountId),
  kind: 'liability',
  amountCents,
});
const custody = (accountId: string, amountCents: number): Entry => ({
  key: custodyKey(accountId),
  kind: 'asset',
  amountCents,
});
/** What is kept for a request until it is delivered: a debt of the platform to whoever gets it. */
export const heldKey = (requestId: string): string => `liability:held:${requestId}`;
export const held = (requestId: string, amountCents: number): Entry => ({
  key: heldKey(requestId),
  kind: 'liability',
  amountCents,
});
/** What nobody understands is written down all the same, where it is seen. */
const suspense = (amountCents: number): Entry => ({ key: 'suspense', kind: 'clearing', amountCents });

type Post = (movement: Movement & { accountId: string }) => Entry[];

/** Movements of a creator's money. */
const ofCreators: Readonly<Partial<Record<Movement['kind'], Post>>> = {
  charge: ({ amountCents, netCents, feeCents, feeShareCents, accountId }) => [
    stripe(netCents),
    processor(feeCents),
    creator(accountId, feeShareCents - amountCents),
    platformFee(-feeShareCents),
  ],
  transfer: ({ amountCents, accountId, isGivenAgain }) => [
    stripe(amountCents),
    custody(accountId, -amountCents),
    // What the bank has returned is theirs again.
    ...(isGivenAgain ? [creator(accountId, amountCents), clearing(-amountCents)] : []),
  ],
  application_fee: ({ amountCents, accountId }) => [stripe(amountCents), custody(accountId, -amountCents)],
  transfer_refund: ({ amountCents, accountId }) => [
    stripe(amountCents),
    custody(accountId, -amountCents),
    creator(accountId, amountCents),
    clearing(-amountCents),
  ],
  // What they bear of it the platform does not.
  dispute_fee: ({ amountCents, netCents, feeCents, accountId }) => [
    stripe(netCents),
    processor(feeCents),
    custody(accountId, -amountCents),
    creator(accountId, amountCents),
    disputeFee(-amountCents),
  ],
  payout: ({ netCents, accountId }) => [custody(accountId, netCents), creator(accountId, -netCents)],
  application_fee_refund: ({ amountCents, accountId }) => [
    stripe(amountCents),
    custody(accountId, -amountCents),
    creator(accountId, amountCents),
    platformFee(-amountCents),
  ],
};

/** What creators pay for their own plan, and for credits. */
const ofOwnSales: Readonly<Partial<Record<Movement['kind'], (movement: Movement) => Entry[]>>> = {
  charge: ({ amountCents, netCents, feeCents, sold }) => [
    stripe(netCents),
    processor(feeCents),
    ownSale(sold, -amountCents),
  ],
  refund: ({ amountCents, netCents, feeCents, sold }) => [
    stripe(netCents),
    processor(feeCents),
    ownSale(sold, -amountCents),
  ],
};

/** Movements of what is held. */
const ofHeld: Readonly<Partial<Record<Movement['kind'], (movement: Movement & { heldFor: string }) => Entry[]>>> = {
  charge: ({ amountCents, netCents, feeCents, heldFor }) => [
    stripe(netCents),
    processor(feeCents),
    held(heldFor, -amountCents),
  ],
  refund: ({ amountCents, netCents, feeCents, heldFor }) => [
    stripe(netCents),
    processor(feeCents),
    held(heldFor, -amountCents),
  ],
  transfer: movedForHeld,
  transfer_refund: movedForHeld,
};

/** The creator gets what was held for them, or it is held again. */
function movedForHeld({ amountCents, accountId, heldFor }: Movement & { heldFor: string }): Entry[] {
  if (accountId === undefined) return [stripe(amountCents), suspense(-amountCents)];
  return [
    stripe(amountCents),
    custody(accountId, -amountCents),
    held(heldFor, -amountCents),
    creator(accountId, amountCents),
  ];
}

/** Returns what is left of what was held when the creator has their part: the platform's. It is no movement of the provider's. */
export const entriesOfRemainder = (requestId: string, feeCents: number): Entry[] =>
  [held(requestId, feeCents), platformFee(-feeCents)].filter(({ amountCents }) => amountCents !== 0);

/** Returns what a partner is owed, as a debt of the platform: negative while there is something. */
export const partnerKey = (affiliateId: string): string => `liability:affiliate:${affiliateId}`;
const partner = (affiliateId: string, amountCents: number): Entry => ({
  key: partnerKey(affiliateId),
  kind: 'liability',
  amountCents,
});

/** Returns the entries of a partner's share of a paid bill: it is the platform's cost. Below zero it is taken back. */
export const entriesOfCommission = (affiliateId: string, cents: number): Entry[] => [
  { key: 'expense:affiliate', kind: 'expense', amountCents: cents },
  partner(affiliateId, -cents),
];

/** Returns the entries of a payment to a partner that was made by hand, from the platform's bank. */
export const entriesOfPartnerPayout = (affiliateId: string, cents: number): Entry[] => [
  partner(affiliateId, cents),
  { key: 'external:bank', kind: 'external', amountCents: -cents },
];

/** Movements of the platform's own. */
const ofPlatform: Readonly<Partial<Record<Movement['kind'], (movement: Movement) => Entry[]>>> = {
  refund: ({ amountCents, netCents, feeCents }) => [stripe(netCents), processor(feeCents), clearing(-amountCents)],
  adjustment: ({ amountCents, netCents, feeCents }) => [stripe(netCents), disputeFee(feeCents), clearing(-amountCents)],
  payout: ({ netCents }) => [stripe(netCents), { key: 'external:bank', kind: 'external', amountCents: -netCents }],
  stripe_fee: ({ netCents }) => [stripe(netCents), processor(-netCents)],
};

/** Returns how a movement of the provider's books stands in ours. It follows from the movement alone, so no row of ours need be there yet. */
export function entriesOf(movement: Movement): Entry[] {
  const { accountId, heldFor, kind, netCents, isOwnSale } = movement;
  const entries =
    (heldFor === undefined ? undefined : ofHeld[kind]?.({ ...movement, heldFor })) ??
    (isOwnSale ? ofOwnSales[kind]?.(movement) : undefined) ??
    (accountId === undefined ? undefined : ofCreators[kind]?.({ ...movement, accountId })) ??
    ofPlatform[kind]?.(movement);
  const known = entries ?? [stripe(netCents), suspense(-netCents)];
  return known.filter(({ amountCents }) => amountCents !== 0);
}

/** Returns whether somebody has to look at it. */
export const isSuspense = (entries: readonly Entry[]): boolean => entries.some(({ key }) => key === 'suspense');
