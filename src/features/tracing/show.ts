import { writeCursor } from '#features/albums/rules.ts';
import type { Certainty, FoundItem, NamedLink, NamedPerson, OwnLook, ShownTo, Trace, TraceDetail } from './contract.ts';
import type { ItemRow, PersonRow } from './people-store.ts';
import { TraceResult } from './result.ts';
import type { TraceRow } from './store.ts';
import { failWords, tellTrace } from './words.ts';

/** Who was shown what was found, as far as it may be told. */
export interface Known {
  items: readonly ItemRow[];
  people: readonly PersonRow[];
}

/** The answer in a row; undefined while there is none. */
export const resultOf = ({ result }: Pick<TraceRow, 'result'>): TraceResult | undefined =>
  result === null || result === undefined ? undefined : TraceResult.parse(result);

/** Her own name for a viewer, else one that tells them apart. */
export const namePerson = (person: Pick<PersonRow, 'viewerId' | 'givenName' | 'isOwn' | 'isSupport'>): string => {
  if (person.isSupport) return 'support';
  return person.isOwn ? 'you' : (person.givenName ?? `Viewer ${person.viewerId.slice(-4).toUpperCase()}`);
};

/** A trace as a list shows it. @param people who was shown it through the named links */
export function showTrace(row: TraceRow, people: readonly PersonRow[]): Trace {
  return {
    id: row.id,
    albumId: row.albumId,
    state: row.state,
    outcome: row.outcome,
    done: row.done,
    total: row.total,
    failText: row.failCode && failWords[row.failCode],
    sizeBytes: row.bytes,
    hasPreview: row.hasPreview,
    sentence: sentenceOf(row, people),
    createdAt: row.createdAt,
    keptUntil: row.expiresAt,
  };
}

/**
 * The one sentence of an answer: about what it points at most surely. A viewer is named in it only when that is as certain as its
 * words, and with the larger of both chances.
 */
export function sentenceOf(row: TraceRow, people: readonly PersonRow[]): string | null {
  if (row.outcome === null) return null;
  const isOneAlbum = row.albumId !== null;
  const named = resultOf(row)?.named;
  const [surest] = bySureness([...(named?.links ?? []), ...(named?.ownLooks ?? [])]);
  if (surest === undefined) return tellTrace({ outcome: row.outcome, isOneAlbum });
  if (!('linkId' in surest)) return tellTrace({ outcome: surest.word, isOneAlbum, ownLook: surest });
  const ofLink = people.filter(({ linkId }) => linkId === surest.linkId);
  const grant = bySureness(surest.grants).find(({ word }) => word === 'traced' || surest.word === 'probable');
  const person = grant && ofLink.find(({ grantId }) => grantId === grant.grantId);
  const link = {
    linkName: ofLink[0]?.linkName ?? 'a link that was deleted',
    chancePower: Math.max(surest.chancePower, person ? grant.chancePower : surest.chancePower),
    person: person && { name: namePerson(person), isYou: person.isOwn && !person.isSupport },
  };
  return tellTrace({ outcome: surest.word, isOneAlbum, link });
}

const bySureness = <T extends { chancePower: number }>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => a.chancePower - b.chancePower);

/** Everything that may be known of one trace. */
export function showDetail(row: TraceRow, { items, people }: Known): TraceDetail {
  const result = resultOf(row);
  const named = result?.named;
  return {
    ...showTrace(row, people),
    sha256: row.sha256.toString('hex'),
    leak: result ? { width: result.leak.width, height: result.leak.height } : null,
    items: (result?.items ?? []).map((item) => showItem(item, items)),
    links: (named?.links ?? []).flatMap((link) => showLink(link, people)),
    ownLook: showOwnLook(named?.ownLooks),
    numbers: named ? { issued: named.issued, hypotheses: named.hypotheses } : null,
    earlierTraces: result?.earlierTraces ?? 0,
    together: result?.together.traceIds.length ?? 0,
    wasDisclosed: named?.wasDisclosed ?? false,
    shownTo: row.outcome === 'inconclusive' ? people.map(showPerson) : [],
  };
}

function showItem(found: TraceResult['items'][number], items: readonly ItemRow[]): FoundItem {
  const row = items.find(({ mediaId, isThere }) => isThere && mediaId === found.mediaId);
  return {
    ...found,
    thumbhash: row ? (row.thumbhash?.toString('base64') ?? '') : null,
    width: row?.width ?? 0,
    height: row?.height ?? 0,
  };
}

function showLink(link: NonNullable<TraceResult['named']>['links'][number], people: readonly PersonRow[]): NamedLink[] {
  const ofLink = people.filter(({ linkId }) => linkId === link.linkId);
  const [first] = ofLink;
  if (first === undefined) return []; // the link was deleted meanwhile
  const { linkId, linkName, recipientName, isRevoked } = first;
  const named = ofLink.map((person) =>
    showNamed(person, certaintyOf(link.grants.find(({ grantId }) => grantId === person.grantId))),
  );
  return [
    { linkId, linkName, recipientName, isRevoked, word: link.word, chancePower: link.chancePower, people: named },
  ];
}

function showOwnLook(looks: NonNullable<TraceResult['named']>['ownLooks'] = []): OwnLook | null {
  const [look] = bySureness(looks);
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

const showPerson = (row: PersonRow): ShownTo => ({
  viewerId: row.viewerId,
  name: namePerson(row),
  isOwn: row.isOwn,
  isSupport: row.isSupport,
  isBlocked: row.isBlocked,
  firstShownAt: row.firstShownAt,
  linkId: row.linkId,
  linkName: row.linkName,
  recipientName: row.recipientName,
});

/** A page out of one row more than it may have. */
export function showPage(rows: readonly TraceRow[], limit: number, people: readonly PersonRow[]) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    traces: shown.map((row) => showTrace(row, people)),
    nextCursor: rows.length > limit && last ? writeCursor({ at: last.createdAt.toISOString(), id: last.id }) : null,
  };
}
