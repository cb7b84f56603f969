import type { Reading, ReadLeak } from '#features/tracing/findings.ts';
import { cleanTilesNeeded, countHypotheses, wordOf } from '#features/tracing/rules.ts';
import { weighSuspects } from '#features/tracing/verdict/judge.ts';
import type { Person } from './suspects.ts';
import { bestInnocent, type Crowd, scalesOf } from './trace-crowd.ts';

/** One leak of one photo, traced. */
export interface Outcome {
  attack: string;
  photo: string;
  bar: 'sure' | 'told';
  /** Its photo was found among all. */
  isFound: boolean;
  /** Photos that were found in it, and that it does not show. */
  strays: number;
  /** What was tried for it: among how many photos it was looked for. */
  hypotheses: number;
  /** Of the rendition that was leaked: tiles that lie in the leak, those read right, and those read right and clearly. */
  tiles: { visible: number; right: number; clean: number };
  /** Tiles of any rendition that say anything at all, right or wrong: no evidence has more bits. */
  saying: number;
  /** The right one scored above everybody of the crowd. */
  isIdentified: boolean;
  /** The right viewer scored above everybody of the crowd by the grant's own half. */
  isViewerFirst: boolean;
  /** log10 of the bounds, of the link and of the grant by its own half. */
  link: number;
  grant: number;
  isLinkTraced: boolean;
  isGrantTraced: boolean;
  /** An innocent of the crowd was accused, or named with a warning. */
  falseNames: number;
}

/** What everybody is compared with. */
export interface Contest {
  crowd: Crowd;
  /** Codewords that were issued in all. */
  issued: number;
}

/** What is tried where a leak is compared with its own photo alone. */
export const hypotheses = countHypotheses({ candidates: 1, items: 1, earlierTraces: 0 });

/** Clean tiles from which on a leak must be accusable, by P20 of the targets. */
export const accusableTiles = (issued: number, tried: number): number => cleanTilesNeeded(issued, tried) + 4;

/** A leak of fewer tiles that say anything can accuse nobody but by chance: each halves the chance of an innocent at best. */
export const leastSaying = (issued: number, tried: number): number => cleanTilesNeeded(issued, tried);

/** What a leak shows, and of whom. */
export interface Leaked {
  attack: string;
  photo: string;
  bar: Outcome['bar'];
  /** The photos in it; it is the first that was leaked. */
  shows: readonly string[];
  /** The rendition that a viewer saw, and the bits in it. */
  track: string;
  bits: Uint8Array;
}

/** Weighs everything that one leak gave away: the leakers against the crowd. Several leakers share one link. */
export function weighLeak(
  { attack, photo, bar, shows, track, bits }: Leaked,
  { items, compared }: Pick<ReadLeak, 'items' | 'compared'>,
  leakers: readonly Person[],
  { crowd, issued }: Contest,
): Outcome {
  const readings = items.flatMap((item) => item.readings);
  const own = items.find(({ mediaId }) => mediaId === shows[0]);
  const tried = countHypotheses({ candidates: compared, items: items.length, earlierTraces: 0 });
  const { links, grants } = weighSuspects(readings, leakers, 0);
  const [link, grant] = [links, grants].map((bounds) => Math.min(0, ...bounds.values())) as [number, number];
  const innocents = scalesOf(readings).map((scales) => bestInnocent(scales, crowd));
  const bestOther = Math.min(0, ...innocents.flatMap((best) => [best.link, best.whole]));
  // A copy of nothing says nothing.
  const wordFor = (ln: number) => (items.length === 0 ? undefined : wordOf(issued * tried * Math.exp(ln)));
  return {
    attack,
    photo,
    bar,
    isFound: own !== undefined,
    strays: items.filter(({ mediaId }) => !shows.includes(mediaId)).length,
    hypotheses: tried,
    tiles: countTiles(own?.readings ?? [], track, bits),
    saying: items.reduce((sum, item) => sum + mostSaying(item.readings), 0),
    isIdentified: link < bestOther,
    isViewerFirst: grant < Math.min(0, ...innocents.map((best) => best.grant)),
    link: link / Math.LN10,
    grant: grant / Math.LN10,
    isLinkTraced: wordFor(link) === 'traced',
    isGrantTraced: wordFor(grant) === 'traced',
    falseNames: wordFor(bestOther) === undefined ? 0 : 1,
  };
}

const mostSaying = (readings: readonly Reading[]): number =>
  Math.max(...readings.map(({ z }) => z.filter((says) => says !== 0).length));

function countTiles(readings: readonly Reading[], track: string, bits: Uint8Array) {
  const tiles = { visible: 0, right: 0, clean: 0 };
  const reading = readings.find((each) => each.track === track);
  for (const [t, z] of reading?.z.entries() ?? []) {
    if ((reading?.visible[t] ?? 0) < 0.5) continue;
    const isRight = z > 0 === (bits[t] === 1);
    tiles.visible++;
    if (isRight) tiles.right++;
    if (isRight && Math.abs(z) >= 3) tiles.clean++;
  }
  return tiles;
}

/** What came of one leak, for the person who waits. */
export function lineOf({ photo, attack, isFound, strays, tiles, isIdentified, link, grant }: Outcome): string {
  const read = `${tiles.right}/${tiles.visible} tiles, ${tiles.clean} clean`;
  const found = `${isFound ? 'found' : 'NOT FOUND'}${strays > 0 ? ` WITH ${strays} OTHERS` : ''}`;
  return `${photo}, ${attack}: ${found}, ${isIdentified ? 'first' : 'NOT FIRST'}, ${read}, 10^${link.toFixed(1)} / 10^${grant.toFixed(1)}`;
}

/** The figures of the last line. */
export function figuresOf(outcomes: readonly Outcome[]): Record<string, number> {
  const sure = outcomes.filter(({ bar }) => bar === 'sure');
  const percent = (is: (outcome: Outcome) => boolean) => Math.round((1000 * sure.filter(is).length) / sure.length) / 10;
  const sum = (value: (outcome: Outcome) => number) => outcomes.reduce((all, each) => all + value(each), 0);
  return {
    foundPercent: percent(({ isFound }) => isFound),
    identifiedPercent: percent(({ isIdentified }) => isIdentified),
    viewerFirstPercent: percent(({ isViewerFirst }) => isViewerFirst),
    linkTracedPercent: percent(({ isLinkTraced }) => isLinkTraced),
    strays: sum(({ strays }) => strays),
    falseNames: sum(({ falseNames }) => falseNames),
  };
}

/** One line for each attack: what it did to all photos. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const names = [...new Set(outcomes.map(({ attack }) => attack))];
  const rows = names.map((name) => {
    const of = outcomes.filter(({ attack }) => attack === name);
    const share = (is: (outcome: Outcome) => boolean) => `${of.filter(is).length}/${of.length}`;
    const range = (value: (outcome: Outcome) => number) => {
      const values = of.map(value).toSorted((a, b) => a - b);
      return `${values[0]?.toFixed(1)} … ${values.at(-1)?.toFixed(1)}`;
    };
    const least = of.toSorted((a, b) => a.tiles.right / a.tiles.visible - b.tiles.right / b.tiles.visible)[0];
    return [
      name,
      share(({ isFound }) => isFound),
      share(({ isIdentified }) => isIdentified),
      share(({ isViewerFirst }) => isViewerFirst),
      share(({ isLinkTraced }) => isLinkTraced),
      share(({ isGrantTraced }) => isGrantTraced),
      range(({ link }) => link),
      range(({ grant }) => grant),
      `${least?.tiles.right}/${least?.tiles.visible}`,
    ];
  });
  const head = [
    'attack',
    'found',
    'first of all',
    'viewer first',
    'link traced',
    'grant traced',
    'log10 p, link',
    'log10 p, grant',
    'fewest right',
  ];
  const widths = head.map((word, n) => Math.max(word.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}
