import { randomFillSync } from 'node:crypto';
import { isLinkTile } from '#features/media/formats/codeword.ts';
import type { Reading } from '#features/tracing/findings.ts';
import { type CertaintyWord, countHypotheses, wordOf } from '#features/tracing/rules.ts';
import { waysToLook } from '#features/tracing/verdict/judge.ts';
import { lnInnocent, openScore } from '#features/tracing/verdict/score.ts';

/** Innocent codewords of one rendition: fair bits, 32 bytes each, as the trace key would make them. */
export interface Crowd {
  links: Uint8Array;
  /** Each grant belongs to link `n % links`. */
  grants: Uint8Array;
}

const bytesEach = 32;
const bitsEach = 8 * bytesEach;
const rowsOf = (tiles: number) => Math.ceil(tiles / bitsEach);

export function drawCrowd(links: number, grants: number): Crowd {
  return {
    links: randomFillSync(new Uint8Array(links * bytesEach)),
    grants: randomFillSync(new Uint8Array(grants * bytesEach)),
  };
}

/** Everything that one way to look says: of the link's tiles, of the grant's, and how both are scored. */
export interface Scales {
  link: number[];
  grant: number[];
  onLink: ReturnType<typeof openScore>;
  onGrant: ReturnType<typeof openScore>;
  /** So many codewords of the crowd are read, one behind the other: one for each item, two where it has more than 256 tiles. */
  rows: number;
}

/** The scales of every way to look; innocents are weighed on the very ones that the judge uses. */
export function scalesOf(readings: readonly Reading[]): Scales[] {
  return waysToLook(readings).map((way) => {
    const half = (isLinks: boolean) =>
      Float64Array.from(
        way.flatMap(({ reading, says }) => {
          const { columns } = readings[reading] as Reading;
          const own = Array.from(says, (value, t) => (isLinkTile(t, columns) === isLinks ? value : 0));
          return way.length > 1 ? [...own, ...Array(rowsOf(own.length) * bitsEach - own.length).fill(0)] : own;
        }),
      );
    const [link, grant] = [half(true), half(false)];
    return {
      link: [...link],
      grant: [...grant],
      onLink: openScore(link),
      onGrant: openScore(grant),
      rows: rowsOf(link.length),
    };
  });
}

/** The best that chance gives anybody of a crowd, as ln of the bound: of links by their half, links by a grant, grants by theirs. */
export interface BestInnocent {
  link: number;
  whole: number;
  grant: number;
}

/** Scores a whole crowd. Of a further item everybody has the bits that the next one has of the first: they are as fair. */
export function bestInnocent(scales: Scales, { links, grants }: Crowd): BestInnocent {
  const { onLink, onGrant, rows } = scales;
  const [linkCount, grantCount] = [links, grants].map(({ length }) => length / bytesEach - rows + 1) as [
    number,
    number,
  ];
  const linkScores = new Float64Array(linkCount);
  let [link, whole, grant] = [0, 0, 0];
  for (let n = 0; n < linkScores.length; n++) {
    const score = onLink(links, n * bytesEach);
    linkScores[n] = score;
    if (score > link) link = score;
  }
  for (let n = 0; n < grantCount; n++) {
    const score = onGrant(grants, n * bytesEach);
    if (score > grant) grant = score;
    const both = score + (linkScores[n % linkScores.length] as number);
    if (both > whole) whole = both;
  }
  return {
    link: lnInnocent(scales.link, link),
    whole: lnInnocent([...scales.link, ...scales.grant], whole),
    grant: lnInnocent(scales.grant, grant),
  };
}

/** Returns what a crowd's own codewords are called by every bound of every way to look at one item: one word for each that names anybody. */
export function wordsAmong(readings: readonly Reading[], crowd: Crowd): CertaintyWord[] {
  const issued = (crowd.links.length + crowd.grants.length) / bytesEach;
  const tried = countHypotheses({ candidates: 1, items: 1, earlierTraces: 0 });
  return scalesOf(readings).flatMap((scales) => {
    const { link, whole, grant } = bestInnocent(scales, crowd);
    return [link, whole, grant].flatMap((ln) => wordOf(issued * tried * Math.exp(ln)) ?? []);
  });
}

/** The same crowd, in which somebody has these codewords of 256 bits. */
export function crowdWith({ links, grants }: Crowd, link: Uint8Array, grant: Uint8Array): Crowd {
  const crowd = { links: links.slice(), grants: grants.slice() };
  crowd.links.set(link.subarray(0, bytesEach));
  crowd.grants.set(grant.subarray(0, bytesEach));
  return crowd;
}
