import { implement } from '@orpc/server';
import { caseLinkOf } from '#features/audit/case-reference.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, insertErrorLog, type RateAnswer, takeRate } from '#features/audit/store.ts';
import { queueEmail } from '#features/notices/store.ts';
import { supportNumberEmail, supportRequestEmail } from '#features/notices/support-emails.ts';
import type { Context } from '#wire/context.ts';
import { refuseForNow } from '#wire/refusals.ts';
import { replyToCase, showState } from './cases/cases.ts';
import { casesContract } from './cases-contract.ts';
import { supportContract } from './contract.ts';
import { nameKnownControl } from './control-register.ts';
import { cleanErrorText, errorsPerHour, redactPage, requestsPerHour } from './rules.ts';
import { insertSupportRequest, type NewSupportRequest } from './store.ts';

export { adminSupportApi } from './desk/desk-api.ts';

const answer = implement(supportContract).$context<Context>();
const cases = implement(casesContract).$context<Context>();

/** A case of support, by the link in the emails about it. */
export const casesApi = cases.router({
  show: cases.show.handler(({ context, input }) => showState(context, input)),
  reply: cases.reply.handler(({ context, input }) => replyToCase(context, input)),
});

/** How people reach whoever runs this installation, and how the errors of its pages do. */
export const supportApi = {
  send: answer.send.handler(async ({ context, input }) => {
    const { isOver, retryAfterSeconds } = await takeTurn(context, 'support', requestsPerHour);
    if (isOver) throw refuseForNow(retryAfterSeconds);
    return { number: String(await keepRequest(context, input)) };
  }),
  logError: answer.logError.handler(async ({ context, input }) => {
    const { isOver } = await takeTurn(context, 'page_error', errorsPerHour);
    if (isOver) return { isKept: false };
    const { message, stack, url, severity, requestId } = input;
    const actor = await context.actor();
    const entry = {
      component: (await nameKnownControl(input.pressed).catch(() => undefined)) ?? input.component,
      severity,
      message: cleanErrorText(message),
      userAgent: context.caller.userAgent,
      ...(stack !== undefined && { stack: cleanErrorText(stack) }),
      ...(url !== undefined && { url: redactPage(url) ?? '*' }),
      ...(requestId !== undefined && { requestId }),
      ...(actor.kind !== 'visitor' && { userId: actor.userId, sessionId: actor.sessionId }),
    };
    await context.asSystem((tx) => insertErrorLog(tx, entry, context.now));
    return { isKept: true };
  }),
};

/** Counts one call of a network in this hour. */
const takeTurn = ({ engines, caller, now, asSystem }: Context, what: string, limit: number): Promise<RateAnswer> => {
  const key = hashKey(engines.keys, what, networkOf(caller.address));
  return asSystem((tx) => takeRate(tx, { key, limit, windowSeconds: 3600, now }));
};

type Written = Omit<NewSupportRequest, 'userId' | 'now'>;

/** Keeps it, mails it to the operator, and its number to the address that was given: nothing else goes there. */
async function keepRequest(context: Context, written: Written): Promise<number> {
  const { engines, now, asSystem } = context;
  const actor = await context.actor();
  const userId = actor.kind === 'visitor' ? undefined : actor.userId;
  const { operatorEmail } = engines.installation;
  return asSystem(async (tx) => {
    const { number, isToBeMailed } = await insertSupportRequest(tx, { ...written, userId, now });
    if (isToBeMailed)
      await queueEmail(tx, engines.jobs, {
        to: written.email,
        now,
        ...supportNumberEmail({ number, page: caseLinkOf(engines, 'support', number) }),
      });
    const desk = `${engines.installation.publicUrl}/admin/support/${number}`;
    if (operatorEmail !== undefined)
      await queueEmail(tx, engines.jobs, {
        to: operatorEmail,
        now,
        ...supportRequestEmail({ ...written, number, desk }),
      });
    return number;
  });
}
