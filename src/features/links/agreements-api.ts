import { implement } from '@orpc/server';
import { creationOf, makeOnce } from '#features/audit/creations.ts';
import { newId } from '#kit/ids.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { agreementsContract } from './agreements/agreements-contract.ts';
import {
  findAgreement,
  findAgreementIdOf,
  insertAgreement,
  isFamilyOf,
  listAcceptances,
  listAgreements,
} from './agreements-store.ts';
import { lockLinksOf } from './store.ts';
import { nameViewer } from './viewer-names.ts';

const answer = implement(agreementsContract).$context<Context>();

/** Versions of texts that one creator may write. */
const mostVersions = 500;
const shownAcceptances = 50;

export const agreementsApi = answer.router({
  list: answer.list.use(requireCreator).handler(async ({ context: { creator, work } }) => ({
    agreements: await work((tx) => listAgreements(tx, creator.userId)),
  })),
  ofLink: answer.ofLink.use(requireCreator).handler(({ context: { creator, work }, input: { linkId } }) =>
    work(async (tx) => {
      const link = await findAgreementIdOf(tx, linkId, creator.userId);
      if (link === undefined) throw refuse('NOT_FOUND');
      const { agreementId } = link;
      const agreement = agreementId === null ? undefined : await findAgreement(tx, agreementId, creator.userId);
      return { agreement: agreement ?? null };
    }),
  ),
  accepted: answer.accepted.use(requireCreator).handler(({ context: { creator, work }, input: { linkId } }) =>
    work(async (tx) => {
      if ((await findAgreementIdOf(tx, linkId, creator.userId)) === undefined) throw refuse('NOT_FOUND');
      const limit = shownAcceptances + 1;
      const rows = await listAcceptances(tx, { linkId, creatorId: creator.userId, limit });
      const acceptances = rows.slice(0, shownAcceptances).map(({ pseudonym, alias, ...row }) => ({
        ...row,
        viewer: alias ?? (pseudonym && nameViewer(pseudonym, null)),
      }));
      return { acceptances, hasMore: rows.length > shownAcceptances };
    }),
  ),
  save: answer.save.use(requireCreator).handler(async ({ context, input }) => {
    const { creator, work, now } = context;
    const { familyId, ...text } = input;
    const id = newId<'agreement'>(now.getTime());
    const creation = creationOf(context, creator.userId, 'agreements.save', input);
    return work(async (tx) => {
      const made = await makeOnce(tx, creation, id, async () => {
        // Versions are counted one after the other.
        await lockLinksOf(tx, creator.userId);
        if (familyId !== undefined && !(await isFamilyOf(tx, familyId, creator.userId))) throw refuse('NOT_FOUND');
        const agreement = { id, creatorId: creator.userId, familyId: familyId ?? id, ...text, now };
        if (!(await insertAgreement(tx, agreement, mostVersions)))
          throw refuse('CONFLICT', { message: `You've reached the limit of ${mostVersions} agreements.` });
      });
      const row = await findAgreement(tx, made, creator.userId);
      if (row === undefined) throw refuse('NOT_FOUND');
      return row;
    });
  }),
});
