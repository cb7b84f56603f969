import { type Grant, giveAccess } from '#features/accounts/grants.ts';
import { giveCredits } from '#features/credits/granting.ts';
import { dayMs } from '#kit/time.ts';
import type { AdminContext } from '#wire/context.ts';
import { requireOther } from './acting.ts';

const actorOf = ({ admin }: AdminContext) => ({ type: 'admin', id: admin.userId }) as const;

/** Gives somebody free access, the suite or what is new, or takes it back; they are mailed what they are given. @throws NOT_FOUND, FORBIDDEN */
export async function grantAccess(
  context: AdminContext,
  { userId, what, days, isEnd }: { userId: string; what: Grant; days: number | null; isEnd: boolean },
): Promise<void> {
  const { engines, asSystem } = context;
  const until = isEnd || days === null ? null : new Date(engines.clock() + days * dayMs);
  await asSystem(async (tx) => {
    const account = await requireOther(context, tx, userId);
    await giveAccess(engines, tx, account, { what, until, isEnd }, actorOf(context));
  });
}

/** Gives somebody credits, the same gift once. @throws NOT_FOUND, FORBIDDEN */
export async function grantCreditsTo(
  context: AdminContext,
  { userId, credits, note, giftId }: { userId: string; credits: number; note: string; giftId: string },
): Promise<void> {
  const { engines, asSystem } = context;
  await asSystem(async (tx) => {
    const { id } = await requireOther(context, tx, userId);
    await giveCredits(engines, tx, { userId: id, credits, note, giftId }, actorOf(context));
  });
}
