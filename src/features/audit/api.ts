import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { beginCheck, exportAudit, searchAudit, showChecks } from './desk/looking.ts';
import { adminAuditContract } from './desk-contract.ts';

const answer = implement(adminAuditContract).$context<Context>();
const owner = requireScope('owner');

/** What administrators see of the audit log. */
export const adminAuditApi = answer.router({
  find: answer.find.use(owner).handler(({ context, input }) => searchAudit(context, input)),
  export: answer.export.use(owner).handler(({ context, input }) => exportAudit(context, input)),
  checks: answer.checks.use(owner).handler(async ({ context }) => ({ checks: await showChecks(context) })),
  check: answer.check.use(owner).handler(async ({ context }) => {
    await beginCheck(context);
    return {};
  }),
});
