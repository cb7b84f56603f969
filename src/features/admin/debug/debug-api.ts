import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { adminDebugContract } from '../debug-contract.ts';
import { listStatements, showVitals } from './figures.ts';
import { changeLogLevel } from './log-level.ts';
import { showRequests } from './requests.ts';

const answer = implement(adminDebugContract).$context<Context>();
const support = requireScope('support');
const owner = requireScope('owner');

/** What the installation knows of itself, for whoever looks into something. */
export const adminDebugApi = answer.router({
  vitals: answer.vitals
    .use(support)
    .handler(async ({ context, input }) => ({ vitals: await showVitals(context, input.days) })),
  statements: answer.statements.use(support).handler(({ context }) => listStatements(context.engines)),
  requests: answer.requests.use(support).handler(({ context, input }) => showRequests(context, input.who)),
  environment: answer.environment.use(owner).handler(({ context }) => ({ settings: [...context.ownProcess.settings] })),
  logLevel: answer.logLevel.use(owner).handler(({ context }) => context.ownProcess.logLevel.state()),
  raiseLogLevel: answer.raiseLogLevel.use(owner).handler(({ context }) => changeLogLevel(context, { isEnd: false })),
  restoreLogLevel: answer.restoreLogLevel.use(owner).handler(({ context }) => changeLogLevel(context, { isEnd: true })),
});
