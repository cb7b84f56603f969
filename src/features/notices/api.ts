import { implement } from '@orpc/server';
import { insertAudit } from '#features/audit/store.ts';
import { requireSignIn } from '#wire/answer.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { type NoticeSettings, noticesContract } from './contract.ts';
import { chooseNews, findListener, saveNoticeSettings } from './notices-store.ts';
import { publicPushKeyOf } from './push/push-keys.ts';
import { deleteOwnSubscription, listDevices, saveSubscription } from './push/push-store.ts';
import { channelsOf } from './rules.ts';
import { findSuppression, liftSuppression } from './suppressions/suppressions-store.ts';

export { adminMailsApi } from './outbox/desk-api.ts';

const answer = implement(noticesContract).$context<Context>();
/** The empty answer of a call that has nothing to tell. */
const done = {};

async function showSettings({ engines, creator, asSystem }: CreatorContext): Promise<NoticeSettings> {
  const pushKey = await publicPushKeyOf(engines);
  return asSystem(async (tx) => {
    const listener = await findListener(tx, creator.userId, []);
    if (listener === undefined) throw refuse('NOT_FOUND');
    return {
      userId: creator.userId,
      channels: channelsOf(listener.channels),
      quiet: listener.quiet,
      timeZone: listener.timeZone,
      wantsNews: listener.wantsNews,
      mailStopped: (await findSuppression(tx, engines.keys, listener.email)) ?? null,
      devices: (await listDevices(tx, creator.userId)).length,
      pushKey,
    };
  });
}

export const noticesApi = {
  settings: answer.settings.use(requireSignIn).handler(({ context }) => showSettings(context)),
  change: answer.change.use(requireSignIn).handler(async ({ context, input }) => {
    const { creator, now, requestId } = context;
    const { wantsNews, ...settings } = input;
    await context.work(async (tx) => {
      await saveNoticeSettings(tx, creator.userId, settings);
      if (wantsNews === undefined || !(await chooseNews(tx, creator.userId, wantsNews ? now : null))) return;
      const actor = { type: creator.kind, id: creator.userId };
      await insertAudit(tx, { actor, action: 'account.news', details: { wantsNews }, requestId });
    });
    return done;
  }),
  resumeMail: answer.resumeMail.use(requireSignIn).handler(async ({ context }) => {
    const { engines, creator, asSystem } = context;
    await asSystem(async (tx) => {
      const listener = await findListener(tx, creator.userId, []);
      if (listener !== undefined) await liftSuppression(tx, engines.keys, listener.email);
    });
    return done;
  }),
  subscribe: answer.subscribe.use(requireSignIn).handler(async ({ context, input }) => {
    const { engines, creator, now, asSystem } = context;
    if (!engines.push.isKnown(input.endpoint))
      throw refuse('VALIDATION', { field: 'endpoint', message: "This browser's push service isn't supported." });
    const { userId, sessionId } = creator;
    await asSystem((tx) => saveSubscription(tx, { userId, sessionId, now, ...input }));
    return done;
  }),
  unsubscribe: answer.unsubscribe.use(requireSignIn).handler(async ({ context, input }) => {
    await context.work((tx) => deleteOwnSubscription(tx, context.creator.userId, input.endpoint));
    return done;
  }),
};
