import { describe, expect, it } from 'vitest';
import type { Movement } from '#engines/payments/payments.ts';
import { entriesOf, entriesOfRemainder, isSuspense, lossOf } from './posting.ts';

const at = new Date(0);
const movement = (kind: Movement['kind'], amountCents: number, more: Partial<Movement> = {}): Movement => ({
  id: 'txn_1',
  kind,
  amountCents,
  feeCents: 0,
  netCents: amountCents - (more.feeCents ?? 0),
  currency: 'usd',
  at,
  availableAt: at,
  chargeId: 'ch_1',
  accountId: undefined,
  feeShareCents: 0,
  isOwnSale: false,
  ...more,
});
/** A movement of one creator's money. */
const hers = (kind: Movement['kind'], amountCents: number, more: Partial<Movement> = {}) =>
  movement(kind, amountCents, { accountId: 'acct_1', ...more });
/** A movement of what is held for one request. */
const kept = (kind: Movement['kind'], amountCents: number, more: Partial<Movement> = {}) =>
  movement(kind, amountCents, { heldFor: 'req_1', ...more });

/** Returns what stands in the books after these movements; accounts that hold nothing are left out. */
function booksAfter(...movements: Movement[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { key, amountCents } of movements.flatMap(entriesOf)) sums.set(key, (sums.get(key) ?? 0) + amountCents);
  return Object.fromEntries([...sums].filter(([, cents]) => cents !== 0));
}

const tip = hers('charge', 1000, { feeCents: 59, feeShareCents: 100 });
const passedOn = hers('transfer', -1000);
const ourPart = hers('application_fee', 100);

describe('a tip of $10', () => {
  it('leaves $9 in the creator’s account, which she is owed, and $1 less the card’s fee with the platform', () => {
    expect(booksAfter(tip, passedOn, ourPart)).toEqual({
      'asset:stripe': 41,
      'expense:processor': 59,
      'liability:creator:acct_1': -900,
      'custody:acct_1': 900,
      'income:platform_fee': -100,
    });
  });
  it('that she is paid out is owed no more', () => {
    expect(booksAfter(tip, passedOn, ourPart, hers('payout', -900))).toEqual({
      'asset:stripe': 41,
      'expense:processor': 59,
      'income:platform_fee': -100,
    });
  });
  it('that goes back to the buyer leaves nothing but what the card cost', () => {
    const back = [hers('transfer_refund', 1000), hers('application_fee_refund', -100), movement('refund', -1000)];
    expect(booksAfter(tip, passedOn, ourPart, ...back)).toEqual({ 'asset:stripe': -59, 'expense:processor': 59 });
  });
  it('that a bank takes back and gives again is hers as before; only the fee of the dispute is gone', () => {
    const disputed = [
      movement('adjustment', -1000, { feeCents: 1500 }),
      hers('transfer_refund', 1000),
      hers('application_fee_refund', -100),
    ];
    expect(booksAfter(tip, passedOn, ourPart, ...disputed)).toEqual({
      'asset:stripe': -1559,
      'expense:processor': 59,
      'expense:dispute_fee': 1500,
    });
    const won = [movement('adjustment', 1000), hers('transfer', -900, { isGivenAgain: true })];
    expect(booksAfter(tip, passedOn, ourPart, ...disputed, ...won)).toEqual({
      'asset:stripe': -1459,
      'expense:processor': 59,
      'expense:dispute_fee': 1500,
      'liability:creator:acct_1': -900,
      'custody:acct_1': 900,
      // What the platform keeps of it again is posted when the dispute is decided.
      'clearing:refunds': -100,
    });
  });
});

describe('the fee of a dispute', () => {
  const charged = movement('adjustment', -1000, { feeCents: 1500 });
  it('that a creator bears costs her and no longer the platform', () => {
    const books = booksAfter(charged, hers('dispute_fee', 1500, { feeCents: 20 }));
    expect(books).toMatchObject({ 'liability:creator:acct_1': 1500, 'custody:acct_1': -1500, 'expense:processor': 20 });
    expect(books['expense:dispute_fee']).toBeUndefined();
  });
  it('that is given back to her is the platform’s again', () => {
    expect(booksAfter(charged, hers('dispute_fee', 1500), hers('dispute_fee', -1500))).toEqual(booksAfter(charged));
  });
});

describe('what the platform sells itself', () => {
  it('is income under the name of what was sold: a plan, or credits; a refund takes it back there', () => {
    const month = movement('charge', 399, { feeCents: 42, isOwnSale: true });
    const pack = movement('charge', 500, { feeCents: 45, isOwnSale: true, sold: 'credits' });
    expect(booksAfter(month, pack)).toEqual({
      'asset:stripe': 812,
      'expense:processor': 87,
      'income:subscription': -399,
      'income:credits': -500,
    });
    const packBack = movement('refund', -500, { isOwnSale: true, sold: 'credits' });
    expect(booksAfter(pack, packBack)).toEqual({ 'asset:stripe': -45, 'expense:processor': 45 });
  });
  it('and loses in a dispute comes off that income; of a creator’s sale it is a loss', () => {
    expect(lossOf(399, { isOwnSale: true })).toEqual({ key: 'income:subscription', kind: 'income', amountCents: 399 });
    expect(lossOf(500, { isOwnSale: true, sold: 'credits' }).key).toBe('income:credits');
    expect(lossOf(500, { isOwnSale: false, sold: 'credits' })).toEqual({
      key: 'expense:loss',
      kind: 'expense',
      amountCents: 500,
    });
  });
  it('its payouts and the provider’s own fees leave its account there', () => {
    expect(booksAfter(movement('payout', -700), movement('stripe_fee', -30))).toEqual({
      'asset:stripe': -730,
      'external:bank': 700,
      'expense:processor': 30,
    });
  });
});

describe('custom work of $50', () => {
  const paid = kept('charge', 5000, { feeCents: 175 });
  it('is held for the request and nobody’s yet', () => {
    expect(booksAfter(paid)).toEqual({
      'asset:stripe': 4825,
      'expense:processor': 175,
      'liability:held:req_1': -5000,
    });
  });
  it('goes back to the buyer whole', () => {
    expect(booksAfter(paid, kept('refund', -5000))).toEqual({ 'asset:stripe': -175, 'expense:processor': 175 });
  });
  it('once accepted is her part in her account, and what is left of it the platform’s', () => {
    const released = booksAfter(paid, kept('transfer', -4500, { accountId: 'acct_1' }));
    expect(released).toEqual({
      'asset:stripe': 325,
      'expense:processor': 175,
      'liability:held:req_1': -500,
      'custody:acct_1': 4500,
      'liability:creator:acct_1': -4500,
    });
    expect(entriesOfRemainder('req_1', 500)).toEqual([
      { key: 'liability:held:req_1', kind: 'liability', amountCents: 500 },
      { key: 'income:platform_fee', kind: 'income', amountCents: -500 },
    ]);
    expect(entriesOfRemainder('req_1', 0)).toEqual([]);
  });
  it('is held again when her part is taken back', () => {
    const [there, back] = [kept('transfer', -4500, { accountId: 'acct_1' }), hers('transfer_refund', 4500)];
    expect(booksAfter(paid, there, { ...back, heldFor: 'req_1' })).toEqual(booksAfter(paid));
  });
  it('that went to nobody we know waits for somebody to look at it', () => {
    const entries = entriesOf(kept('transfer', -4500));
    expect(isSuspense(entries)).toBe(true);
    expect(entries).toEqual([
      { key: 'asset:stripe', kind: 'asset', amountCents: -4500 },
      { key: 'suspense', kind: 'clearing', amountCents: 4500 },
    ]);
  });
});

describe('what nobody understands', () => {
  it.each([
    ['another kind', movement('other', 77)],
    ['a charge of no creator', movement('charge', 1000, { feeCents: 59 })],
    ['a transfer of no creator', movement('transfer', -1000)],
    ['a part that goes back from no creator', movement('transfer_refund', 1000)],
  ])('is written down where it is seen: %s', (_, unknown) => {
    expect(isSuspense(entriesOf(unknown))).toBe(true);
    expect(booksAfter(unknown)).toEqual({ 'asset:stripe': unknown.netCents, suspense: -unknown.netCents });
  });
  it('is nothing that was understood', () => {
    for (const known of [tip, passedOn, ourPart]) expect(isSuspense(entriesOf(known))).toBe(false);
  });
  it('of no cents is no line in the books', () => {
    expect(entriesOf(movement('payout', 0))).toEqual([]);
  });
});
