import { implement } from '@orpc/server';
import type * as z from 'zod';
import { settle, slowCrowd } from '#features/accounts/limits.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { applicationEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { newId } from '#kit/ids.ts';
import type { Context } from '#wire/context.ts';
import { refuseForNow } from '#wire/refusals.ts';
import { type Application, affiliatesContract } from './contract.ts';
import { insertApplication } from './store.ts';

const answer = implement(affiliatesContract).$context<Context>();

/** Applications of a network in an hour before each waits longer, and of which there are too many to be people's. */
const freeTries = 5;
const triesMax = 60;
const hourSeconds = 3600;

/** What people ask who want to recommend the place. */
export const affiliatesApi = {
  apply: answer.apply.handler(async ({ context, input }) => {
    await apply(context, input);
    return {};
  }),
};

/**
 * Keeps an application and acknowledges it by mail, once for an address: nobody's mailbox is filled by a stranger, and the answer
 * is the same after the same time.
 * @throws RATE_LIMITED
 */
async function apply(context: Context, { name, email, audience }: z.output<typeof Application>): Promise<void> {
  const beganMs = performance.now();
  const { engines, now, asSystem, requestId } = context;
  await slowCrowd(context, 'apply', freeTries);
  await refuseTooMany(context, email);
  const id = newId<'affiliate'>(now.getTime());
  await asSystem(async (tx) => {
    if (!(await insertApplication(tx, { id, email, name, audience, now }))) return;
    const target = { type: 'affiliate', id };
    await insertAudit(tx, { actor: { type: 'visitor' }, action: 'affiliate.applied', target, requestId });
    await queueEmail(tx, engines.jobs, { to: email, now, ...applicationEmail() });
  });
  await settle(beganMs);
}

async function refuseTooMany({ engines, caller, now, asSystem }: Context, email: string): Promise<void> {
  const ofAddress = { key: hashKey(engines.keys, 'apply_as', email), limit: 3, windowSeconds: 24 * hourSeconds, now };
  const ofNetwork = {
    key: hashKey(engines.keys, 'apply_from', networkOf(caller.address)),
    limit: triesMax,
    windowSeconds: hourSeconds,
    now,
  };
  const taken = await asSystem(async (tx) => [await takeRate(tx, ofAddress), await takeRate(tx, ofNetwork)]);
  const over = taken.filter(({ isOver }) => isOver).map(({ retryAfterSeconds }) => retryAfterSeconds);
  if (over.length > 0) throw refuseForNow(Math.max(...over));
}
