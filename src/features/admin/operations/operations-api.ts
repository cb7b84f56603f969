import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { adminOperationsContract } from '../operations-contract.ts';
import { showInstallation } from './installation.ts';
import { findErrors, retryMedium, showErrors, showFailedMedia, showToday } from './operations.ts';

const answer = implement(adminOperationsContract).$context<Context>();
const support = requireScope('support');
const anyScope = requireScope('support', 'moderation', 'finance');

/** How the installation does, and what of it has failed. */
export const adminOperationsApi = answer.router({
  today: answer.today.use(anyScope).handler(({ context }) => showToday(context)),
  pulse: answer.pulse.use(anyScope).handler(async ({ context: { pulse } }) => ({
    parts: [...(await pulse.watch())],
    version: pulse.version,
  })),
  installation: answer.installation.use(anyScope).handler(({ context }) => showInstallation(context)),
  failedMedia: answer.failedMedia
    .use(support)
    .handler(async ({ context }) => ({ media: await showFailedMedia(context) })),
  retryMedium: answer.retryMedium.use(support).handler(async ({ context, input }) => {
    await retryMedium(context, input.mediaId);
    return {};
  }),
  errors: answer.errors
    .use(support)
    .handler(async ({ context, input }) => ({ groups: await showErrors(context, input.days) })),
  findErrors: answer.findErrors
    .use(support)
    .handler(async ({ context, input }) => ({ entries: await findErrors(context, input.id) })),
});
