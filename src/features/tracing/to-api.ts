import { cutPage } from '#features/albums/rules.ts';
import { nameViewer } from '#features/links/viewer-names.ts';
import { isHardlyTraceable } from '#features/media/to-api.ts';
import { isolate } from '#kit/text.ts';
import { fitInto, sheetOf } from './clips/sheet.ts';
import type {
  Certainty,
  CodedView,
  FoundItem,
  NamedLink,
  NamedPerson,
  OwnLook,
  ShownTo,
  Trace,
  TraceDetail,
} from './contract.ts';
import { previewSide } from './photos/trace-job.ts';
import { wholeTrace } from './progress/progress-store.ts';
import type { TraceRow } from './store.ts';
import type { CodedRow, ItemRow, LinkRow, NameRow, PersonRow } from './verdict/people-store.ts';
import { TraceResult } from './verdict/result.ts';
import { describeNamed, describeTrace, failWords, type NamedWords } from './verdict-texts.ts';

/** Who was shown what was found, as far as it may be told. */
export interface Known {
  items: readonly ItemRow[];
  people: readonly PersonRow[];
  /** Links that are named. */
  links: readonly LinkRow[];
}

/** The answer in a row; undefined while there is none. */
export const resultOf = ({ result }: Pick<TraceRow, 'result'>): TraceResult | undefined =>
  result === null || result === undefined ? undefined : TraceResult.parse(result);

/** Their own name for a viewer, else one that tells them apart. */
export const namePerson = (person: Pick<PersonRow, 'viewerId' | 'givenName' | 'isOwn' | 'isSupport'>): string => {
  if (person.isSupport) return 'support';
  return person.isOwn ? 'you' : nameViewer(person.viewerId, person.givenName);
};

const isOver = ({ state }: Pick<TraceRow, 'state'>): boolean => state === 'done' || state === 'failed';

/** A trace as a list shows it. @param people who is named @param links which links are */
export function showTrace(row: TraceRow, people: readonly NameRow[], links: readonly LinkRow[]): Trace {
  return {
    id: row.id,
    isEverywhere: row.isEverywhere,
    albumId: row.albumId,
    state: row.state,
    outcome: row.outcome,
    // Which news of its way came last depends on how busy the app was, and says nothing once it is over.
    share: isOver(row) ? 1 : Math.min(1, row.done / wholeTrace),
    comparing: isOver(row) ? 0 : row.total,
    failText: row.failCode && failWords[row.failCode],
    sizeBytes: row.bytes,
    hasPreview: row.hasPreview,
    sentence: sentenceOf(row, people, links),
    wasDisclosed: resultOf(row)?.named?.wasDisclosed ?? false,
    createdAt: row.createdAt,
    keptUntil: row.expiresAt,
  };
}

/** The one sentence of an answer; null while there is none. */
export function sentenceOf(row: TraceRow, people: readonly NameRow[], links: readonly LinkRow[] = []): string | null {
  if (row.outcome === null) return null;
  const result = resultOf(row);
  const said = result?.named && describeNamed(nameWords(result.named, people, links));
  const isClip = result?.leak.mime.startsWith('video/') === true;
  return said ?? describeTrace({ outcome: row.outcome, isOneAlbum: !row.isEverywhere, isClip });
}

const nameWords = (
  { links, ownLooks }: NonNullable<TraceResult['named']>,
  people: readonly NameRow[],
  names: readonly LinkRow[],
): NamedWords => ({
  links: links.map(({ linkId, word, chancePower, grants }) => {
    const ofLink = people.filter((person) => person.linkId === linkId);
    const viewers = ofLink.map((person) => ({
      name: isolate(namePerson(person)),
      isYou: isYou(person),
      certainty: certaintyOf(grants.find(({ grantId }) => grantId === person.grantId)),
    }));
    const known = names.find((link) => link.linkId === linkId) ?? ofLink[0];
    return { linkName: isolate(known?.linkName ?? 'a link that was deleted'), word, chancePower, viewers };
  }),
  ownLooks,
});

/** Returns whether it is the creator themselves. */
export const isYou = ({ isOwn, isSupport }: Pick<PersonRow, 'isOwn' | 'isSupport'>): boolean => isOwn && !isSupport;

/** Everything that may be known of one trace. */
export function showDetail(row: TraceRow, { items, people, links }: Known): TraceDetail {
  const result = resultOf(row);
  const named = result?.named;
  return {
    ...showTrace(row, people, links),
    sha256: row.sha256.toString('hex'),
    hasOriginal: result?.hasOriginal ?? false,
    leak: result ? showLeak(result.leak) : null,
    items: (result?.items ?? []).map((item) => showItem(item, items)),
    links: (named?.links ?? []).flatMap((link) => showLink(link, { people, links })),
    ownLook: showOwnLook(named?.ownLooks),
    numbers: named ? { issued: named.issued, hypotheses: named.hypotheses } : null,
    earlierTraces: result?.earlierTraces ?? 0,
    together: result?.together.traceIds.length ?? 0,
    isOtherGone: result?.together.isOtherGone ?? false,
    shownTo: row.outcome === 'inconclusive' ? people.map(showPerson) : [],
    moreShown: row.outcome === 'inconclusive' ? leftOut(people) : 0,
  };
}

const showLeak = ({ width, height, stills }: TraceResult['leak']) => ({
  width,
  height,
  stills: stills?.length ?? null,
  preview: fitInto(previewSide, stills ? sheetOf({ width, height }, stills.length) : { width, height }),
});

function showItem(found: TraceResult['items'][number], items: readonly ItemRow[]): FoundItem {
  const row = items.find(({ mediaId, isThere }) => isThere && mediaId === found.mediaId);
  return {
    ...found,
    // As fine as anybody can see: further digits would tell copies apart that look the same (media, no oracle).
    corners: found.corners.map(([x, y]) => [Math.round(1000 * x) / 1000, Math.round(1000 * y) / 1000]),
    thumbhash: row ? (row.thumbhash?.toString('base64') ?? '') : null,
    width: row?.width ?? 0,
    height: row?.height ?? 0,
    kind: row?.kind ?? 'photo',
    isHardlyTraceable: isHardlyTraceable(row?.markedTiles ?? null),
  };
}

/** Returns how many there are beside those who are listed. */
const leftOut = (people: readonly PersonRow[]): number => (people[0]?.outOf ?? 0) - people.length;

function showLink(
  link: NonNullable<TraceResult['named']>['links'][number],
  { people, links }: Pick<Known, 'people' | 'links'>,
): NamedLink[] {
  const ofLink = people.filter(({ linkId }) => linkId === link.linkId);
  const known = links.find(({ linkId }) => linkId === link.linkId);
  if (known === undefined) return []; // it was deleted meanwhile
  const { linkId, linkName, recipientName, isRevoked } = known;
  const named = ofLink.map((person) =>
    showNamed(person, certaintyOf(link.grants.find(({ grantId }) => grantId === person.grantId))),
  );
  return [
    {
      linkId,
      linkName,
      recipientName,
      isRevoked,
      word: link.word,
      chancePower: link.chancePower,
      people: named,
      morePeople: leftOut(ofLink),
    },
  ];
}

function showOwnLook(looks: NonNullable<TraceResult['named']>['ownLooks'] = []): OwnLook | null {
  const [look] = looks.toSorted((a, b) => a.chancePower - b.chancePower);
  return look ? { word: look.word, chancePower: look.chancePower, isSupport: look.isSupport } : null;
}

const certaintyOf = (certainty: Certainty | undefined): Certainty | null =>
  certainty ? { word: certainty.word, chancePower: certainty.chancePower } : null;

const showNamed = (row: PersonRow, certainty: Certainty | null): NamedPerson => ({
  viewerId: row.viewerId,
  name: namePerson(row),
  isOwn: row.isOwn,
  isSupport: row.isSupport,
  isBlocked: row.isBlocked,
  firstShownAt: row.firstShownAt,
  certainty,
  visits: row.visits,
  firstVisitAt: row.firstVisitAt,
  lastVisitAt: row.lastVisitAt,
  country: row.country,
  isCountryEstimated: row.isCountryEstimated === true,
  device: row.device,
  browser: row.browser,
});

const showBoth = (row: Omit<CodedRow, 'isRevoked' | 'firstOpenedAt'>) => ({
  viewerId: row.viewerId,
  name: namePerson(row),
  isOwn: row.isOwn,
  isSupport: row.isSupport,
  isBlocked: row.isBlocked,
  linkId: row.linkId,
  linkName: row.linkName,
  recipientName: row.recipientName,
});
const showPerson = (row: PersonRow): ShownTo => ({ ...showBoth(row), firstShownAt: row.firstShownAt });

/** Returns whose view a code belongs to. */
export const showCoded = (row: CodedRow): CodedView => ({
  ...showBoth(row),
  isRevoked: row.isRevoked,
  firstOpenedAt: row.firstOpenedAt,
});

/** A page out of one row more than it may have. */
export function showPage(
  rows: readonly TraceRow[],
  limit: number,
  { people, links }: { people: readonly NameRow[]; links: readonly LinkRow[] },
) {
  const { page, nextCursor } = cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt.toISOString(), id }));
  return { traces: page.map((row) => showTrace(row, people, links)), nextCursor };
}
