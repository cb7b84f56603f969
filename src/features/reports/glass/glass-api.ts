import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { adminGlassContract } from '../glass-contract.ts';
import { closeGlass, lendGlassSegments, openGlass, showLooks } from './glass.ts';

const answer = implement(adminGlassContract).$context<Context>();
const moderation = requireScope('moderation');

/** Looks of administrators at private media. */
export const adminGlassApi = answer.router({
  about: answer.about.use(moderation).handler(({ context, input }) => showLooks(context, input.about)),
  open: answer.open.use(moderation).handler(({ context, input }) => openGlass(context, input)),
  close: answer.close.use(moderation).handler(async ({ context, input }) => {
    await closeGlass(context, input.glassId);
    return {};
  }),
  videoKeys: answer.videoKeys.use(moderation).handler(({ context, input }) => lendGlassSegments(context, input)),
});
