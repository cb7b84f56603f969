import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { AdminContext, Context } from '#wire/context.ts';
import type { Acting } from '../acting.ts';
import { adminJunkContract } from '../junk-contract.ts';
import { askForCleaning, askForEnd, askForLook, showJunk } from './junk.ts';

const answer = implement(adminJunkContract).$context<Context>();
const owner = requireScope('owner');
/** The empty answer of a call that has nothing to tell. */
const done = {};

const actingOf = ({ admin, requestId }: AdminContext): Acting => ({ type: 'admin', id: admin.userId, requestId });

/** What lies about and is of no use to anybody. */
export const adminJunkApi = answer.router({
  list: answer.list.use(owner).handler(async ({ context }) => ({ kinds: await showJunk(context.engines) })),
  look: answer.look.use(owner).handler(async ({ context, input }) => {
    await context.asSystem((tx) => askForLook(context.engines, tx, input.kind, actingOf(context)));
    return done;
  }),
  clean: answer.clean.use(owner).handler(async ({ context, input }) => {
    await context.asSystem((tx) => askForCleaning(context.engines, tx, input, actingOf(context)));
    return done;
  }),
  cancel: answer.cancel.use(owner).handler(async ({ context, input }) => {
    await context.asSystem((tx) => askForEnd(context.engines, tx, input.kind, actingOf(context)));
    return done;
  }),
});
