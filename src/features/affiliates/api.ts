import { implement } from '@orpc/server';
import type * as z from 'zod';
import { settle, slowNetwork } from '#features/accounts/limits.ts';
import { foldMailbox } from '#features/accounts/rules.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { applicationEmail } from '#features/notices/partner-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { newId } from '#kit/ids.ts';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuseForNow } from '#wire/refusals.ts';
import { type Application, affiliatesContract } from './contract.ts';
import { claim, showOwn } from './own-partner.ts';
import { insertApplication } from './store.ts';

export { adminAffiliatesApi } from './desk/desk-api.ts';

const answer = implement(affiliatesContract).$context<Context>();

/** Applications of a network in an hour before each waits longer, and of which there are too many to be people's. */
const freeTries = 5;
const triesMax = 60;
const hourSeconds = 3600;

/** What people ask who want to recommend the place, or do. */
export const affiliatesApi = {
  apply: answer.apply.handler(async ({ context, input }) => {
    await apply(context, input);
    return {};
  }),
  mine: answer.mine.use(requireSignIn).handler(({ context }) => showOwn(context)),
  claim: answer.claim.use(requireSignIn).handler(({ context }) => claim(context)),
};

/**
 * Keeps an application and acknowledges it by mail, once a day for a mailbox: a stranger can neither fill it nor keep its owner
 * from applying, and the answer is the same after the same time.
 * @throws RATE_LIMITED
 */
async function apply(context: Context, { name, email, audience }: z.output<typeof Application>): Promise<void> {
  const beganMs = performance.now();
  const { engines, now, asSystem, requestId } = context;
  await slowNetwork(context, 'apply', freeTries);
  await refuseTooMany(context);
  const id = newId<'affiliate'>(now.getTime());
  await asSystem(async (tx) => {
    await insertApplication(tx, { id, email, name, audience, now });
    const target = { type: 'affiliate', id };
    await insertAudit(tx, { actor: { type: 'visitor' }, action: 'affiliate.applied', target, requestId });
    const key = hashKey(engines.keys, 'mail_apply', foldMailbox(email));
    const { isOver } = await takeRate(tx, { key, limit: 1, windowSeconds: 24 * hourSeconds, now });
    if (!isOver) await queueEmail(tx, engines.jobs, { to: email, now, ...applicationEmail() });
  });
  await settle(beganMs);
}

async function refuseTooMany({ engines, caller, now, asSystem }: Context): Promise<void> {
  const key = hashKey(engines.keys, 'apply_from', networkOf(caller.address));
  const rate = { key, limit: triesMax, windowSeconds: hourSeconds, now };
  const { isOver, retryAfterSeconds } = await asSystem((tx) => takeRate(tx, rate));
  if (isOver) throw refuseForNow(retryAfterSeconds);
}
