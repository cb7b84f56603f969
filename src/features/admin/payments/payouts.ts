import { operatorOf } from '#features/audit/operator.ts';
import { holdByHand, refuseAppeal as refuseByHand, releaseByHand } from '#features/payouts/deciding-holds.ts';
import { findPayee } from '#features/payouts/payouts-store.ts';
import type { HoldCode } from '#features/payouts/rules.ts';
import type { AdminContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { requireDone } from './orders.ts';
import { listFailedPayouts, listHeldPayees } from './payouts-store.ts';

const pageSize = 50;

/** Lists whose payouts are held, the longest first, and payouts that did not arrive. */
export async function showPayouts({ asSystem, engines: { payments } }: AdminContext, page: number) {
  const range = { limit: pageSize + 1, offset: page * pageSize };
  const { held, failed } = await asSystem(async (tx) => ({
    held: await listHeldPayees(tx, payments.realm, range),
    failed: await listFailedPayouts(tx, payments.realm, range),
  }));
  const hasMore = held.length > pageSize || failed.length > pageSize;
  return { held: held.slice(0, pageSize), failed: failed.slice(0, pageSize), hasMore };
}

/** Whoever has no account at the provider is paid nothing. @throws NOT_FOUND */
async function requirePayee({ asSystem, engines: { payments } }: AdminContext, userId: string): Promise<void> {
  if ((await asSystem((tx) => findPayee(tx, payments.realm, userId))) === undefined) throw refuse('NOT_FOUND');
}

/** @throws NOT_FOUND, CONFLICT */
export async function holdPayouts(
  context: AdminContext,
  input: { userId: string; reason: HoldCode; note: string },
): Promise<void> {
  const { asSystem, engines } = context;
  await requirePayee(context, input.userId);
  requireDone(await asSystem((tx) => holdByHand(engines, tx, input, operatorOf(context))));
}

/** @throws NOT_FOUND, CONFLICT */
export async function releasePayouts(context: AdminContext, input: { userId: string; note: string }): Promise<void> {
  const { asSystem, engines } = context;
  await requirePayee(context, input.userId);
  requireDone(await asSystem((tx) => releaseByHand(engines, tx, input, operatorOf(context))));
}

/** @throws NOT_FOUND, CONFLICT */
export async function refuseAppeal(context: AdminContext, input: { userId: string; note: string }): Promise<void> {
  const { asSystem, engines } = context;
  await requirePayee(context, input.userId);
  requireDone(await asSystem((tx) => refuseByHand(engines, tx, input, operatorOf(context))));
}
