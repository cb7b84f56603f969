import type { Engines } from '#engines/engines.ts';
import { insertRobotOpens, type RobotOpens } from '../refused-store.ts';

/** Opens of programs that are not written down yet: gone when the process is killed. */
export interface RobotCount {
  note(slug: string, now: Date): void;
  /** Writes down what there is. */
  write(): Promise<void>;
}

const writeAfterMs = 1000;
/** Whoever tries addresses without end fills no memory: what comes beyond is not written down. */
const mostAddresses = 1000;

/**
 * Counts programs after their answer, and many at once: an address that leads somewhere must take no longer than one that
 * does not, and an answer waits for no row.
 */
export function openRobotCount({ database, log }: Pick<Engines, 'database' | 'log'>): RobotCount {
  let counts = new Map<string, RobotOpens>();
  let waiting: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    clearTimeout(waiting);
    waiting = undefined;
    const noted = [...counts.values()];
    counts = new Map();
    if (noted.length > 0)
      writing = writing.then(() =>
        insertRobotOpens(database, noted).catch((err: unknown) => log.warn({ err }, 'programs were not counted')),
      );
    return writing;
  };
  return {
    note(slug, now) {
      const key = `${now.toISOString().slice(0, 10)} ${slug}`;
      const opens = (counts.get(key)?.opens ?? 0) + 1;
      if (opens === 1 && counts.size >= mostAddresses) return;
      counts.set(key, { slug, opens, at: now });
      waiting ??= setTimeout(write, writeAfterMs).unref();
    },
    write,
  };
}
