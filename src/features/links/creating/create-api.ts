import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { creationOf, makeOnce } from '#features/audit/creations.ts';
import { insertAudit } from '#features/audit/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { checkAlbums, checkRules, insertAllWithRules, insertWithRules, lockForNew } from '../change-link.ts';
import { LinkRulesInput, type LinksInput, linksContract } from '../contract.ts';
import { hashLinkPassword } from '../link-password.ts';
import { suggestName } from '../link-texts.ts';
import { countLinks } from '../list-store.ts';
import { beginOffers } from '../presets/album-default-rules.ts';
import { type Expiry, expiresAtOf } from '../rules.ts';
import { listAlbumsToShare } from '../store.ts';
import { doingOf, note, shownOne } from '../to-api.ts';
import { describeDoubles, findDoubles } from './bulk-rules.ts';
import { checkSale, findMostCents } from './check-sale.ts';
import { type BatchRow, listBatch } from './new-links-store.ts';

const answer = implement(linksContract).$context<Context>();

export const tooMany = (max: number) =>
  refuse('CONFLICT', { message: `You've reached the limit of ${formatCount(max, 'active link')}. Revoke one first.` });

type Input = Omit<LinksInput, 'names'>;

/** The rules that were asked for; where none were, those with which new links to these albums begin. */
async function rulesOf(context: CreatorContext, { rules, albumIds }: Input): Promise<LinkRulesInput> {
  if (rules !== undefined) return rules;
  const usual = LinkRulesInput.parse({});
  const albums = await context.work((tx) => listAlbumsToShare(tx, albumIds));
  const mostCents = await findMostCents(context.engines, context.creator.userId, albums);
  return { ...usual, offers: beginOffers(usual.offers, albums, mostCents) };
}

/** What links of these rules are made of, asked before the transaction: all that is slow. @throws VALIDATION, PAYOUTS_NOT_READY */
async function prepare(context: CreatorContext, input: Input) {
  const { engines, creator, now } = context;
  const settings = await settingsOf(engines);
  const usual: Expiry = { kind: 'after', hours: settings['links.defaultDays'] * 24 };
  const expiresAt = expiresAtOf(input.expiry ?? usual, now);
  const rules = await rulesOf(context, input);
  const policy = checkRules(rules, input.password !== undefined, expiresAt, now);
  const albumIds = [...new Set(input.albumIds)];
  await checkSale(engines, creator.userId, rules, async () => ({ offers: [], albumIds }));
  const albumsMax = settings['limits.albumsPerLink'];
  if (albumIds.length > albumsMax)
    throw refuse('VALIDATION', { field: 'albumIds', message: `A link can show up to ${albumsMax} albums.` });
  const passwordHash = input.password === undefined ? null : await hashLinkPassword(input.password);
  const { recipientChannel, welcomeText, notify } = input;
  const link = { recipientChannel, welcomeText, notify, albumIds, policy, passwordHash, expiresAt, now };
  return { link: { ...link, creatorId: creator.userId }, linksMax: settings['limits.links'] };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Waits for its turn and looks whether so many more may be made. @throws NOT_FOUND, ALBUM_EMPTY, CONSENT_MISSING, CONFLICT */
async function admit(
  tx: Tx,
  { creator, now }: CreatorContext,
  { link: { albumIds, policy, creatorId }, linksMax }: Prepared,
  { count, isLaxConfirmed }: { count: number; isLaxConfirmed: boolean },
): Promise<void> {
  checkAlbums(await listAlbumsToShare(tx, albumIds), albumIds.length, policy, isLaxConfirmed);
  await lockForNew(tx, creator);
  const { active } = await countLinks(tx, { creatorId, albumId: undefined, now });
  if (active + count <= linksMax) return;
  const left = Math.max(0, linksMax - active);
  if (count === 1 || left === 0) throw tooMany(linksMax);
  throw refuse('CONFLICT', {
    message: `You can make ${formatCount(left, 'more link')}, up to ${linksMax.toLocaleString('en')} active ones. Shorten the list or revoke some first.`,
  });
}

/** One link. */
export const createLink = answer.create.use(requireCreator).handler(async ({ context, input }) => {
  const { engines, now, creator } = context;
  const doing = await doingOf(context);
  const prepared = await prepare(context, input);
  const id = newId<'link'>(now.getTime());
  const creation = creationOf(context, creator.userId, 'links.create', input);
  return context.work(async (tx) => {
    const made = await makeOnce(tx, creation, id, async () => {
      await admit(tx, context, prepared, { count: 1, isLaxConfirmed: input.isLaxConfirmed });
      const { linkName, recipientName, note: text } = input;
      await insertWithRules(tx, { ...prepared.link, id, linkName, recipientName, note: text }, engines.keys);
      await note(tx, [id], 'link.created', doing);
    });
    return shownOne(tx, made, doing);
  });
});

/** A link for each name of a list, all of them or none. */
export const createLinks = answer.createMany.use(requireCreator).handler(async ({ context, input }) => {
  const { engines, now, creator, requestId } = context;
  const { names, isLaxConfirmed, recipientChannel } = input;
  const doubles = findDoubles(names);
  if (doubles.length > 0) throw refuse('VALIDATION', { field: 'names', message: describeDoubles(doubles) });
  const prepared = await prepare(context, input);
  const batchId = newId<'batch'>(now.getTime());
  const creation = creationOf(context, creator.userId, 'links.createMany', input);
  return context.work(async (tx) => {
    const made = await makeOnce(tx, creation, batchId, async () => {
      await admit(tx, context, prepared, { count: names.length, isLaxConfirmed });
      const links = names.map((recipientName) => ({
        ...prepared.link,
        id: newId<'link'>(now.getTime()),
        linkName: suggestName(recipientName, recipientChannel),
        recipientName,
        note: '',
        batchId,
      }));
      await insertAllWithRules(tx, links, engines.keys);
      const actor = { type: creator.kind, id: creator.userId };
      const details = { links: links.length, batch: batchId };
      await insertAudit(tx, { actor, action: 'link.created_many', details, requestId });
      await tx.publish({ kind: 'link.changed', creatorId: creator.userId });
    });
    return { links: inOrder(await listBatch(tx, creator.userId, made), names, engines.installation.publicUrl) };
  });
});

/** The links in the order of their names. */
function inOrder(rows: readonly BatchRow[], names: readonly string[], publicUrl: string) {
  const places = new Map(names.map((name, at) => [name, at]));
  const placeOf = ({ recipientName }: BatchRow) => places.get(recipientName ?? '') ?? names.length;
  return rows
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(({ id, recipientName, slug }) => ({ id, name: recipientName ?? '', url: `${publicUrl}/view/${slug}` }));
}
