import { implement } from '@orpc/server';
import type { Context } from '#wire/context.ts';
import { marketingContract } from './contract.ts';
import { noteDemoEvent } from './demo-events.ts';
import { readFacts } from './facts-in-force.ts';

const answer = implement(marketingContract).$context<Context>();

/** What the public pages ask. */
export const marketingApi = {
  recordDemoEvent: answer.recordDemoEvent.handler(async ({ context, input }) => {
    await noteDemoEvent(context, input);
    return {};
  }),
  facts: answer.facts.handler(({ context: { engines } }) => readFacts(engines)),
};
