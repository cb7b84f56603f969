import type { Reading } from '#features/tracing/evidence.ts';
import { weighSuspects } from '#features/tracing/judge.ts';
import { cleanTilesNeeded, countHypotheses, wordOf } from '#features/tracing/rules.ts';
import { bestInnocent, type Crowd, scalesOf } from './trace-crowd.ts';
import type { Person } from './trace-world.ts';

/** One leak of one photo, traced. */
export interface Outcome {
  attack: string;
  photo: string;
  bar: 'sure' | 'told';
  isFound: boolean;
  /** Of the rendition that was leaked: tiles that lie in the leak, those read right, and those read right and clearly. */
  tiles: { visible: number; right: number; clean: number };
  /** Tiles of any rendition that say anything at all, right or wrong: no evidence has more bits. */
  saying: number;
  /** The right one scored above everybody of the crowd. */
  isIdentified: boolean;
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

export const hypotheses = countHypotheses({ candidates: 1, items: 1, earlierTraces: 0 });

/** Clean tiles from which on a leak must be accusable, by P20 of the targets. */
export const accusableTiles = (issued: number): number => cleanTilesNeeded(issued, hypotheses) + 4;

/** A leak of fewer tiles that say anything can accuse nobody but by chance: each halves the chance of an innocent at best. */
export const leastSaying = (issued: number): number => cleanTilesNeeded(issued, hypotheses);

/** Weighs one leak's readings: the leakers against the crowd. Several leakers share one link. */
export function weighLeak(
  what: Pick<Outcome, 'attack' | 'photo' | 'bar'>,
  readings: readonly Reading[] | undefined,
  leakers: readonly Person[],
  bits: { track: string; values: Uint8Array },
  { crowd, issued }: Contest,
): Outcome {
  const none = { tiles: { visible: 0, right: 0, clean: 0 }, isIdentified: false, saying: 0, link: 0, grant: 0 };
  if (!readings) return { ...what, ...none, isFound: false, isLinkTraced: false, isGrantTraced: false, falseNames: 0 };
  const { links, grants } = weighSuspects(readings, leakers, 0);
  const [link, grant] = [links, grants].map((bounds) => Math.min(0, ...bounds.values())) as [number, number];
  const innocents = scalesOf(readings).map((scales) => bestInnocent(scales, crowd));
  const bestOther = Math.min(...innocents.flatMap((best) => [best.link, best.whole]));
  const wordFor = (ln: number) => wordOf(issued * hypotheses * Math.exp(ln));
  return {
    ...what,
    isFound: true,
    tiles: countTiles(readings, bits),
    saying: Math.max(...readings.map(({ z }) => z.filter((says) => says !== 0).length)),
    isIdentified: link < bestOther,
    link: link / Math.LN10,
    grant: grant / Math.LN10,
    isLinkTraced: wordFor(link) === 'traced',
    isGrantTraced: wordFor(grant) === 'traced',
    falseNames: wordFor(bestOther) === undefined ? 0 : 1,
  };
}

function countTiles(readings: readonly Reading[], { track, values }: { track: string; values: Uint8Array }) {
  const tiles = { visible: 0, right: 0, clean: 0 };
  const reading = readings.find((each) => each.track === track);
  for (const [t, z] of reading?.z.entries() ?? []) {
    if ((reading?.visible[t] ?? 0) < 0.5) continue;
    const isRight = z > 0 === (values[t] === 1);
    tiles.visible++;
    if (isRight) tiles.right++;
    if (isRight && Math.abs(z) >= 3) tiles.clean++;
  }
  return tiles;
}

/** What came of one leak, for the person who waits. */
export function lineOf({ photo, attack, tiles, isIdentified, link, grant }: Outcome): string {
  const read = `${tiles.right}/${tiles.visible} tiles, ${tiles.clean} clean`;
  return `${photo}, ${attack}: ${isIdentified ? 'first' : 'NOT FIRST'}, ${read}, 10^${link.toFixed(1)} / 10^${grant.toFixed(1)}`;
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
      share(({ isIdentified }) => isIdentified),
      share(({ isLinkTraced }) => isLinkTraced),
      share(({ isGrantTraced }) => isGrantTraced),
      range(({ link }) => link),
      range(({ grant }) => grant),
      `${least?.tiles.right}/${least?.tiles.visible}`,
    ];
  });
  const head = [
    'attack',
    'first of all',
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
