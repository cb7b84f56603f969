import type { LiveEvent } from '#engines/database/work.ts';
import type { Live } from '#wire/live.ts';

/**
 * What has changed since a moment, by the ids of live events: revoked links, blocked viewers, closed screens and albums. A stream asks it
 * before every picture, so that it need not ask the database each time.
 */
export interface Changes {
  /** A mark of this moment. */
  mark(): number;
  /** Whether anything about one of these ids came since then, or may have been missed. */
  since(mark: number, ids: readonly string[]): boolean;
}

const mostIds = 20_000;

/** Events that say nothing about a right: they come with every look. */
const harmless = new Set(['visit.opened', 'visit.moved', 'visit.ended']);

/** Remembers, per id, the number of the last event about it. */
export function watchChanges(live: Pick<Live, 'watch'>): Changes {
  const last = new Map<string, number>();
  let number = 0;
  /** Nothing is known for certain about what came before this. */
  let floor = 0;

  const note = (id: string) => {
    last.delete(id);
    last.set(id, number);
    for (const [oldest, at] of last) {
      if (last.size <= mostIds) break;
      last.delete(oldest);
      floor = Math.max(floor, at);
    }
  };
  live.watch(
    ({
      kind,
      creatorId: _creator,
      mediaId: _medium,
      turnedMs: _turned,
      logsDebugUntilMs: _until,
      ...about
    }: LiveEvent) => {
      if (harmless.has(kind)) return;
      number++;
      for (const id of Object.values(about)) if (id !== undefined) note(id);
    },
    () => {
      number++;
      floor = number;
    },
  );
  return {
    mark: () => number,
    since: (mark, ids) => floor > mark || ids.some((id) => (last.get(id) ?? 0) > mark),
  };
}
