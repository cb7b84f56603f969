import { implement } from '@orpc/server';
import { settingsOf } from '#features/settings/settings.ts';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { fullCheckContract } from './contract.ts';
import { cancelCheck, startCheck } from './starting.ts';
import { listChecks } from './store.ts';

const answer = implement(fullCheckContract).$context<Context>();
const owner = requireScope('owner');

const mostShown = 10;
const underWay = 'Another check is running. Try again in a minute or two.';

/** The full check, as whoever runs the installation begins it and reads it. */
export const fullCheckApi = answer.router({
  show: answer.show.use(owner).handler(async ({ input, context: { engines, asSystem } }) => {
    const settings = await settingsOf(engines);
    const runs = await asSystem((tx) => listChecks(tx, mostShown, input?.part ?? null));
    return { runs, isNightly: settings['operations.nightlyCheck'] === 1 };
  }),
  start: answer.start
    .use(owner)
    .handler(async ({ input: { part = null }, context: { engines, asSystem, admin, requestId } }) => {
      const starter = { type: 'admin', id: admin.userId, requestId } as const;
      const begun = await asSystem((tx) => startCheck(engines, tx, starter, part));
      if (begun.part !== part) throw refuse('CONFLICT', { message: underWay });
      return { id: begun.id, isNew: begun.isNew };
    }),
  cancel: answer.cancel.use(owner).handler(async ({ context: { engines, asSystem, admin, requestId } }) => {
    const isCancelled = await asSystem((tx) =>
      cancelCheck(engines, tx, { type: 'admin', id: admin.userId, requestId }),
    );
    if (!isCancelled) throw refuse('CONFLICT', { message: 'No full check is running.' });
    return {};
  }),
});
