import { implement } from '@orpc/server';
import type { Context } from '#wire/context.ts';
import { marketingContract } from './contract.ts';
import { noteDemoEvent } from './demo/demo-events.ts';
import { readFacts } from './facts-in-force.ts';
import { forgetVisits, noteVisits } from './visits.ts';

export { adminClaimsApi } from './desk/claims-api.ts';

const answer = implement(marketingContract).$context<Context>();

/** What the public pages ask. */
export const marketingApi = {
  recordDemoEvent: answer.recordDemoEvent.handler(async ({ context, input }) => {
    await noteDemoEvent(context, input);
    return {};
  }),
  noteVisits: answer.noteVisits.handler(async ({ context, input }) => {
    await noteVisits(context, input.visits);
    return {};
  }),
  forgetVisits: answer.forgetVisits.handler(async ({ context }) => {
    await forgetVisits(context);
    return {};
  }),
  facts: answer.facts.handler(({ context: { engines } }) => readFacts(engines)),
};
