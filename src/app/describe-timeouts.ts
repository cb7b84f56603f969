import type { Engines } from '#engines/engines.ts';
import { countMediaTimeouts, type TimeoutCounts } from '#features/media/timeouts-store.ts';
import { countTraceTimeouts } from '#features/tracing/store.ts';
import { formatCount } from '#kit/text.ts';

/** What ran out of time, a line each; nothing where nothing did. */
export async function describeTimeouts({ database }: Pick<Engines, 'database'>): Promise<string[]> {
  const [media, traces] = await database.work({ kind: 'system' }, async (tx) => [
    await countMediaTimeouts(tx),
    await countTraceTimeouts(tx),
  ]);
  return [
    ...describeCounts(media, 'photo or video', 'photos and videos'),
    ...describeCounts(traces, 'leaked copy', 'leaked copies'),
  ];
}

function describeCounts({ waiting, givenUp, nextAt }: TimeoutCounts, one: string, many: string): string[] {
  const soon = nextAt === null ? 'now' : `next at ${nextAt.toISOString()}`;
  return [
    ...(waiting === 0
      ? []
      : [`${formatCount(waiting, one, many)} ran out of time: tried again automatically, ${soon}`]),
    ...(givenUp === 0
      ? []
      : [
          `${formatCount(givenUp, one, many)} ran out of time again and again: more processors, or a higher limits.…JobSeconds`,
        ]),
  ];
}
