import { randomFillSync } from 'node:crypto';
import { isLinkTile } from '#features/media/codeword.ts';
import type { Reading } from '#features/tracing/evidence.ts';
import { waysToLook } from '#features/tracing/judge.ts';
import { type CertaintyWord, countHypotheses, wordOf } from '#features/tracing/rules.ts';
import { lnInnocent, openScore } from '#features/tracing/score.ts';

/** Innocent codewords of one rendition: fair bits, 32 bytes each, as the trace key would make them. */
export interface Crowd {
  links: Uint8Array;
  /** Each grant belongs to link `n % links`. */
  grants: Uint8Array;
}

const bytesEach = 32;

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
  track: string;
}

/** The scales of every way to look at single items; innocents are weighed on the very ones that the judge uses. */
export function scalesOf(readings: readonly Reading[]): Scales[] {
  return waysToLook(readings)
    .filter(({ length }) => length === 1)
    .map(([way]) => {
      if (!way) throw new Error('a way without evidence');
      const { columns, track } = readings[way.reading] as Reading;
      const half = (isLinks: boolean) => way.says.map((value, t) => (isLinkTile(t, columns) === isLinks ? value : 0));
      const [link, grant] = [half(true), half(false)];
      return { link: [...link], grant: [...grant], onLink: openScore(link), onGrant: openScore(grant), track };
    });
}

/** The best that chance gives anybody of a crowd, as ln of the bound: of links by their half, links by a grant, grants by theirs. */
export interface BestInnocent {
  link: number;
  whole: number;
  grant: number;
}

/** Scores a whole crowd. */
export function bestInnocent(scales: Scales, { links, grants }: Crowd): BestInnocent {
  const { onLink, onGrant } = scales;
  const linkScores = new Float64Array(links.length / bytesEach);
  let [link, whole, grant] = [0, 0, 0];
  for (let n = 0; n < linkScores.length; n++) {
    const score = onLink(links, n * bytesEach);
    linkScores[n] = score;
    if (score > link) link = score;
  }
  for (let n = 0, at = 0; at < grants.length; n++, at += bytesEach) {
    const score = onGrant(grants, at);
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

/** What a crowd's own codewords are called by every bound of every way to look at one item: one word for each that names anybody. */
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
