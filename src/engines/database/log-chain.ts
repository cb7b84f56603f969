/** Bytes of one segment of the log: what a cluster has that was made without another request. */
export const segmentBytes = 16 * 2 ** 20;

/** A file of the log: on which timeline, and the how many-th 16 MB of it. */
export interface Segment {
  timeline: number;
  number: number;
}

const perLog = 256;

/** Returns what a file's name says; undefined for all that is not a whole segment. */
export function readSegment(name: string): Segment | undefined {
  const [, timeline, log, part] = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/.exec(name) ?? [];
  if (timeline === undefined || log === undefined || part === undefined) return undefined;
  return { timeline: parse(timeline), number: parse(log) * perLog + parse(part) };
}

const parse = (hex: string) => Number.parseInt(hex, 16);
const write = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');

/** The name of a segment. */
export const nameSegment = ({ timeline, number }: Segment) =>
  `${write(timeline)}${write(Math.floor(number / perLog))}${write(number % perLog)}`;

/** The number of the segment that holds a place in the log (`16/B374D848`). */
export function numberAt(lsn: string): number {
  const [high = '', low = ''] = lsn.split('/');
  return parse(high) * perLog + Math.floor(parse(low) / segmentBytes);
}

/** A timeline on the way to the newest one, and the segments in which it is the one that counts. */
export interface Stretch {
  timeline: number;
  from: number;
  to: number;
}

/** The newest timeline of which the log tells; `least` when it tells of none. */
export const newestTimeline = (names: Iterable<string>, least: number): number =>
  Math.max(least, ...[...names].flatMap((name) => parse(/^([0-9A-F]{8})\.history$/.exec(name)?.[1] ?? '0')));

/** The way of the log to a timeline. @param history the text of its history file; empty when it is the first */
export function readHistory(timeline: number, history: string): Stretch[] {
  const way: Stretch[] = [];
  let from = 0;
  for (const line of history.split('\n')) {
    const [, parent, lsn] = /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/.exec(line) ?? [];
    if (parent === undefined || lsn === undefined) continue;
    const to = numberAt(lsn);
    way.push({ timeline: Number(parent), from, to });
    from = to;
  }
  return [...way, { timeline, from, to: Number.POSITIVE_INFINITY }];
}

const isOn = ({ timeline, from, to }: Stretch, segment: Segment) =>
  segment.timeline === timeline && segment.number >= from && segment.number <= to;

/** Where the log ends on a way, and the first segment that is missing before that. */
export interface Reach {
  newest: number;
  gap: string | undefined;
}

/** How far the log goes from a segment on. */
export function findReach(names: Iterable<string>, way: readonly Stretch[], from: number): Reach {
  const numbers = new Set(
    [...names].flatMap((name) => {
      const segment = readSegment(name);
      return segment !== undefined && way.some((stretch) => isOn(stretch, segment)) ? [segment.number] : [];
    }),
  );
  const newest = Math.max(from, ...numbers);
  let at = from;
  while (at <= newest && numbers.has(at)) at++;
  const timeline = way.findLast((stretch) => at >= stretch.from)?.timeline ?? 1;
  return { newest, gap: at > newest ? undefined : nameSegment({ timeline, number: at }) };
}
