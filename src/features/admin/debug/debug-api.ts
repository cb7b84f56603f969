import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { adminDebugContract } from '../debug-contract.ts';
import { listStatements, showVitals } from './figures.ts';

const answer = implement(adminDebugContract).$context<Context>();
const support = requireScope('support');

/** What the installation knows of itself, for whoever looks into something. */
export const adminDebugApi = answer.router({
  vitals: answer.vitals
    .use(support)
    .handler(async ({ context, input }) => ({ vitals: await showVitals(context, input.days) })),
  statements: answer.statements.use(support).handler(({ context }) => listStatements(context.engines)),
});
