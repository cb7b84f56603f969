import type { CheckoutOrder, Movement } from '#engines/payments/payments.ts';
import { hourMs } from '#kit/time.ts';
import type { Fact } from '#tests/proofs/stripe/side.ts';
import { accountOf, eventually, type Paid, type Side } from '../side.ts';

const page = 'https://example.com/done?session_id={CHECKOUT_SESSION_ID}';

/** A payment that goes to a creator, named by what it is for. */
export function orderOf(side: Side, name: string, more: Partial<CheckoutOrder> = {}): CheckoutOrder {
  const amountCents = more.amountCents ?? 2499;
  return {
    orderId: `${side.run}-${name}`,
    kind: 'tip',
    productName: 'Tip',
    amountCents,
    currency: 'usd',
    feeCents: Math.floor(amountCents / 10),
    accountId: accountOf(side),
    successUrl: page,
    cancelUrl: 'https://example.com/back',
    expiresAt: new Date(side.now().getTime() + hourMs),
    ...more,
  };
}

/** Returns how a call ended, by the words that the product acts on. */
export async function endOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'done';
  } catch (error) {
    const { name, why } = error as { name?: string; why?: string };
    return [name ?? 'Error', why].filter(Boolean).join(' ');
  }
}

/** The kind of a name that the provider has given, `ch` of `ch_1Pgaf…`. */
export const kindOf = (id: string | undefined): string => id?.split('_')[0] ?? 'none';

export async function linesOf(side: Side, chargeId: string): Promise<Movement[]> {
  const found: Movement[] = [];
  for await (const page of side.payments.movements(side.startedAt))
    found.push(...page.filter((line) => line.chargeId === chargeId));
  return found;
}

/** What stands in the books about a payment, to the cent, once so many lines are there. */
export async function booked(side: Side, { chargeId }: Paid, atLeast: number): Promise<Fact> {
  const lines = await eventually(side, `${atLeast} lines of ${chargeId}`, async () => {
    const all = await linesOf(side, chargeId);
    return all.length < atLeast ? undefined : all;
  });
  const reported = lines.map((line) => ({
    kind: line.kind,
    amount: line.amountCents,
    fee: line.feeCents,
    net: line.netCents,
    share: line.feeShareCents,
    sold: line.sold ?? null,
    isOwnSale: line.isOwnSale,
    isHeld: line.heldFor !== undefined,
    isHers: line.accountId !== undefined && line.accountId === side.kept.accountId,
  }));
  return reported.sort((a, b) => a.kind.localeCompare(b.kind) || a.amount - b.amount);
}

/** All that a creator has, available or not. */
export async function hersOf(side: Side): Promise<number> {
  const { available, pending } = await side.payments.balance(accountOf(side));
  return (available.get('usd') ?? 0) + (pending.get('usd') ?? 0);
}
