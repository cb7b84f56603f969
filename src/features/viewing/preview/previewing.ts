import { decide, type Refused } from '#features/access/rules.ts';
import { findFactsBySlug, type Question } from '#features/access/store.ts';
import { Policy } from '#features/links/policy.ts';
import { newId } from '#kit/ids.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { termsOf } from '../leases/answering.ts';
import { findItemsOfAlbum, findItemsOfLink, type ItemRow } from '../leases/items-store.ts';
import { askerOf } from '../leases/leases.ts';
import { withAgreement } from '../opening/agreement-gate.ts';
import { nobodysFacts } from '../opening/gates.ts';
import { withSale } from '../paying/sale.ts';
import { codeWrong, type No, proofNo, sayNo } from '../refusals.ts';
import { showOpened } from '../to-api.ts';
import { type Case, casesByReason } from './cases.ts';
import { firstOf, nextOf } from './next-steps.ts';
import type { PreviewId, PreviewState, ViewerPreview } from './preview-contract.ts';
import { findOwnAlbum, findOwnGrant, findOwnSlug } from './preview-store.ts';
import { stageCalm } from './staging.ts';

/** Where a preview is looked at. */
interface Looking {
  context: CreatorContext;
  timeZone: string | undefined;
}

/** Shows everything that a viewer of one's own link may meet. @throws NOT_FOUND when it isn't the asking creator's */
export async function previewLink(context: CreatorContext, linkId: string, timeZone?: string): Promise<ViewerPreview> {
  const { engines, creator } = context;
  const slug = await context.work((tx) => findOwnSlug(tx, linkId, creator.userId));
  const asker = { ...(await askerOf(context, undefined)), isDesktop: false };
  const question = slug === undefined ? undefined : await findFactsBySlug(engines.database, slug, asker);
  if (question === undefined) throw refuse('NOT_FOUND');
  const items = await findItemsOfLink(engines.database, linkId, 0);
  return { ...(await preview({ context, timeZone }, question, items)), slug };
}

/** The same of a new link with the usual rules that shows one album. @throws NOT_FOUND when it isn't the asking creator's */
export async function previewAlbum(
  context: CreatorContext,
  albumId: string,
  timeZone?: string,
): Promise<ViewerPreview> {
  const { engines, creator } = context;
  const album = await context.work((tx) => findOwnAlbum(tx, albumId, creator.userId));
  if (album === undefined) throw refuse('NOT_FOUND');
  const { hostName: name, avatar, takesRequests } = album;
  const picture = avatar === null ? {} : { avatar: `data:image/webp;base64,${avatar.toString('base64')}` };
  const question: Question = {
    link: { albumIds: [albumId], policy: Policy.parse({}) },
    facts: { ...nobodysFacts(context.now), albumReady: true },
    linkId: albumId,
    creatorId: creator.userId,
    policyVersion: 1,
    recipientName: undefined,
    host: { name, welcomeText: '', ...picture },
    takesRequests,
    viewer: undefined,
    grantId: undefined,
    visit: undefined,
    asked: { request: undefined, asksAgainAt: undefined, decisionText: '' },
    gone: [],
    usedBefore: { visits: 0, watchedMs: 0, lentMs: 0 },
    password: undefined,
  };
  return preview({ context, timeZone }, question, await findItemsOfAlbum(engines.database, albumId));
}

async function preview(looking: Looking, question: Question, items: ItemRow[]): Promise<ViewerPreview> {
  const described = await Promise.all(
    Object.values(casesByReason)
      .flat()
      .map(async (one) => ({ one, refusal: await describeCase(looking, question, one) })),
  );
  const shown = described.flatMap(({ one, refusal }) => (refusal === undefined ? [] : [{ ...one, refusal }]));
  const ids = new Set<PreviewId>(shown.map(({ id }) => id));
  const stateOf = (state: Omit<PreviewState, 'next'>): PreviewState => ({ ...state, next: nextOf(state.id, ids) });
  const gallery = stateOf({ id: 'OPEN', label: 'Gallery', group: 'way' });
  const wrongCode = { id: 'CODE_WRONG', label: 'A wrong access code', group: 'trouble' } as const;
  return {
    now: nowOf(question, shown),
    first: firstOf(ids),
    states: [
      ...shown.map(({ id, label, group, refusal }) => stateOf({ id, label, group, refusal })),
      gallery,
      stateOf({ ...wrongCode, refusal: codeWrong(3).refusal }),
    ],
    opened: await showGallery(looking.context, question, items),
  };
}

/** What somebody new would meet just now, by the facts as they are. */
function nowOf({ link, facts }: Question, shown: readonly Case[]): PreviewId {
  const decision = decide(link, facts);
  if (decision.ok) return 'OPEN';
  const ids = casesByReason[decision.reason].map(({ id }) => id);
  const stranger = ids.find((id) => id.endsWith('_FOR_STRANGER'));
  return stranger ?? shown.find(({ id }) => ids.includes(id))?.id ?? 'NOT_FOUND';
}

/** What the door answers in one case; undefined where this link has no such screen. */
async function describeCase(
  { context: { engines, now }, timeZone }: Looking,
  question: Question,
  { id, stage, wrong, unproven, waitsFor, asking }: Case,
): Promise<No['refusal'] | undefined> {
  const staged = stage(stageCalm(question, now.getTime()), now.getTime());
  const decision = staged === undefined ? notFound : decide(staged.link, staged.facts);
  if (decision.ok || !casesByReason[decision.reason].some((one) => one.id === id)) return undefined;
  const at = new Date(staged?.facts.now ?? now);
  const said =
    unproven === undefined ? sayNo(staged, decision, at, { timeZone, wrong }) : proofNo(staged, unproven, at);
  const agreed = staged === undefined ? said : await withAgreement(engines, staged, decision, said);
  const { refusal } = await withSale(engines, staged, decision, agreed, waitsFor);
  return asking !== undefined && refusal.asking !== asking ? undefined : refusal;
}

const notFound: Refused = { ok: false, reason: 'NOT_FOUND' };

/** The gallery as the door lists it. Its pictures are lent to the creator as everywhere in the studio, so no lease comes along. */
async function showGallery(
  { engines, creator, work, now }: CreatorContext,
  question: Question,
  items: ItemRow[],
): Promise<ViewerPreview['opened']> {
  const [terms, grantId = ''] = await Promise.all([termsOf(engines), work((tx) => findOwnGrant(tx, creator.userId))]);
  const { openForMs, viewBudgetMs, email } = question.link.policy;
  // Where an address is asked for, the mark names it.
  const shown = email === undefined ? question : stageCalm(question, now.getTime());
  const grant = { grantId, creatorId: creator.userId, linkId: undefined };
  const admitted = { grant, visitId: newId(now.getTime()), viewerId: '', items, lendings: [], resumeCode: undefined };
  const endsInMs = viewBudgetMs ?? openForMs;
  return { ...showOpened({ question: shown, admitted, leases: [], terms, endsInMs, openedAt: now }), isPreview: true };
}
