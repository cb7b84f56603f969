import { type PartState, type Pulse, type PulseLight, type PulsePart, pulseParts } from '#wire/pulse.ts';
import { openLoopClock } from '../server/loop-clock.ts';
import { version } from '../version.ts';

/** What one look at a part finds. */
export interface Finding {
  light: Exclude<PulseLight, 'unknown'>;
  finding: string;
}

/** How one part is looked at. */
export interface Probe {
  part: PulsePart;
  /** Seconds between two looks, while somebody watches and else. */
  every: { watched: number; else: number };
  /** It cannot be judged while the database is away. */
  needsDatabase?: boolean;
  /** @throws what is wrong, in words for the operator: the light is red then */
  look(): Promise<Finding>;
}

export interface PulseSettings {
  /** Milliseconds since 1970. */
  clock: () => number;
  /** So long nobody has to ask before it is looked at rarely again. */
  watchedMs?: number;
  /** How long a look may take while this process listens; a part that needs longer is red. */
  deadlineMs?: number;
}

const stepMs = 250;
const databaseAway = 'Cannot be judged while the database does not answer.';

/** A pulse that may go on by itself. */
export interface RunningPulse extends Pulse {
  /** Looks at everything by itself from now on, whether or not somebody watches. */
  keepLooking(): void;
  close(): void;
}

/** Looks at the parts of an installation, each at its own pace, and never twice at once at the same one. */
export function openPulse(
  probes: readonly Probe[],
  { clock, watchedMs = 15_000, deadlineMs = 5000 }: PulseSettings,
): RunningPulse {
  const loop = openLoopClock(stepMs);
  const states = new Map<PulsePart, PartState>();
  const looking = new Map<PulsePart, Promise<void>>();
  const nextAt = new Map<PulsePart, number>();
  let [watchedUntil, isKept] = [0, false];

  const settle = (part: PulsePart, light: PulseLight, finding: string) => {
    const before = states.get(part);
    const since = before?.light === light ? before.since : new Date(clock());
    states.set(part, { part, light, finding, since });
  };
  const isDatabaseWell = async () => {
    const probe = probes.find(({ part }) => part === 'database');
    if (probe !== undefined) await within(probe.look(), deadlineMs);
    return true;
  };
  const within = <T>(work: Promise<T>, ms: number) =>
    new Promise<T>((done, fail) => {
      const forget = loop.after(ms, () => fail(new Error(`It has not answered within ${ms / 1000} seconds.`)));
      void work.then(done, fail).finally(forget);
    });
  const judge = async ({ part, look, needsDatabase }: Probe): Promise<void> => {
    const running = look();
    try {
      const { light, finding } = await within(running, deadlineMs);
      settle(part, light, finding);
    } catch (error) {
      const isOthers = needsDatabase === true && !(await isDatabaseWell().catch(() => false));
      settle(part, isOthers ? 'unknown' : 'red', isOthers ? databaseAway : wordsOf(error));
    }
    // What hangs is not asked a second time meanwhile.
    await running.catch(() => undefined);
  };
  const isWatched = () => performance.now() < watchedUntil;
  const begin = (probe: Probe): Promise<void> => {
    const { part, every } = probe;
    const running =
      looking.get(part) ??
      judge(probe).finally(() => {
        looking.delete(part);
        nextAt.set(part, performance.now() + 1000 * (isWatched() ? every.watched : every.else));
      });
    looking.set(part, running);
    return running;
  };
  const beginDue = () => {
    for (const probe of probes) if (performance.now() >= (nextAt.get(probe.part) ?? 0)) void begin(probe);
  };
  const endLooking = loop.every(stepMs, () => {
    if (isKept || isWatched()) beginDue();
  });
  const known = () =>
    pulseParts.flatMap((part) =>
      probes.some((probe) => probe.part === part)
        ? [states.get(part) ?? { part, light: 'unknown' as const, finding: 'Not looked at yet.', since: null }]
        : [],
    );
  return {
    version,
    known,
    async watch() {
      // Whoever comes first shall not read what was found long ago.
      if (!isWatched()) nextAt.clear();
      watchedUntil = performance.now() + watchedMs;
      beginDue();
      const first = probes.filter(({ part }) => !states.has(part)).map(({ part }) => looking.get(part));
      await within(Promise.allSettled(first), 1500).catch(() => undefined);
      return known();
    },
    keepLooking: () => {
      isKept = true;
    },
    close: () => {
      endLooking();
      loop.close();
    },
  };
}

/** Looks at everything once. @returns every part */
export async function lookOnce(probes: readonly Probe[], settings: PulseSettings): Promise<readonly PartState[]> {
  const pulse = openPulse(probes, settings);
  try {
    await pulse.watch();
    const patience = performance.now() + 2 * (settings.deadlineMs ?? 5000);
    const isOpen = () => pulse.known().some(({ light }) => light === 'unknown');
    while (isOpen() && performance.now() < patience) await new Promise((next) => setTimeout(next, stepMs));
    return pulse.known();
  } finally {
    pulse.close();
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 300);
