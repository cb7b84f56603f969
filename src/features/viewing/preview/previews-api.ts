import { implement } from '@orpc/server';
import { requireCreator } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { previewsContract } from './preview-contract.ts';
import { previewAlbum, previewLink } from './previewing.ts';

const answer = implement(previewsContract).$context<Context>();

/** What viewers are shown, for the creator whose it is. */
export const previewsApi = answer.router({
  ofLink: answer.ofLink
    .use(requireCreator)
    .handler(({ context, input: { linkId, timeZone } }) => previewLink(context, linkId, timeZone)),
  ofAlbum: answer.ofAlbum
    .use(requireCreator)
    .handler(({ context, input: { albumId, timeZone } }) => previewAlbum(context, albumId, timeZone)),
});
