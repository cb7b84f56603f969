import { implement } from '@orpc/server';
import { requireScope } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { adminButtonsContract } from '../buttons-contract.ts';
import { showButtons } from './buttons.ts';

const answer = implement(adminButtonsContract).$context<Context>();

/** The register of everything that people press. */
export const adminButtonsApi = answer.router({
  list: answer.list
    .use(requireScope('owner'))
    .handler(async ({ context }) => ({ controls: await showButtons(context) })),
});
