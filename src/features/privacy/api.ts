import { implement } from '@orpc/server';
import { requireSignIn } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { privacyContract } from './contract.ts';
import { deleteOwnAccount, showDeletion } from './deletion/deleting.ts';
import { openOwnExport, requestOwnExport, showOwnExport } from './exports/own-export.ts';
import { eraseMine, exportMine, keepMine, mailDataCode, showMine } from './people/own-data.ts';

const answer = implement(privacyContract).$context<Context>();

/** What people may know of what is kept of them, and end. */
export const privacyApi = answer.router({
  showMine: answer.showMine.handler(({ context }) => showMine(context)),
  mailDataCode: answer.mailDataCode.handler(({ context, input }) => mailDataCode(context, input.act)),
  exportMine: answer.exportMine.handler(({ context, input }) => exportMine(context, input.code)),
  eraseMine: answer.eraseMine.handler(({ context, input }) => eraseMine(context, input.code)),
  keepMine: answer.keepMine.handler(async ({ context, input }) => {
    await keepMine(context, input.code);
    return {};
  }),
  showExport: answer.showExport.use(requireSignIn).handler(({ context }) => showOwnExport(context)),
  requestExport: answer.requestExport.use(requireSignIn).handler(async ({ context, input }) => {
    await requestOwnExport(context, input.hasOriginals);
    return {};
  }),
  openExport: answer.openExport
    .use(requireSignIn)
    .handler(async ({ context, input }) => ({ path: await openOwnExport(context, input.password) })),
  showDeletion: answer.showDeletion.use(requireSignIn).handler(({ context }) => showDeletion(context)),
  deleteAccount: answer.deleteAccount
    .use(requireSignIn)
    .handler(async ({ context, input }) => ({ eraseAt: await deleteOwnAccount(context, input.password) })),
});
