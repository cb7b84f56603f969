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
/** How long the first who watches waits for what was never looked at. */
const firstMs = 1500;
const databaseAway = 'Cannot be judged while the database does not answer.';

/** A pulse that may go on by itself. */
export interface RunningPulse extends Pulse {
  /** Looks at everything by itself from now on, whether or not somebody watches. */
  keepLooking(): void;
  close(): void;
}

/** Looks at the parts of an installation, each at its own pace, and never twice at once at the same one. */
export const openPulse = (probes: readonly Probe[], settings: PulseSettings): RunningPulse =>
  new LoopPulse(probes, settings);

class LoopPulse implements RunningPulse {
  readonly version = version;
  readonly #probes: readonly Probe[];
  readonly #settings: Required<PulseSettings>;
  readonly #loop = openLoopClock(stepMs);
  readonly #states = new Map<PulsePart, PartState>();
  readonly #looking = new Map<PulsePart, Promise<void>>();
  readonly #nextAt = new Map<PulsePart, number>();
  readonly #endLooking: () => void;
  #watchedUntil = 0;
  #isKept = false;

  constructor(probes: readonly Probe[], { clock, watchedMs = 15_000, deadlineMs = 5000 }: PulseSettings) {
    this.#probes = probes;
    this.#settings = { clock, watchedMs, deadlineMs };
    this.#endLooking = this.#loop.every(stepMs, () => {
      if (this.#isKept || this.#isWatched()) this.#beginDue();
    });
  }

  async watch(): Promise<readonly PartState[]> {
    // Whoever comes first shall not read what was found long ago.
    if (!this.#isWatched()) this.#nextAt.clear();
    this.#watchedUntil = performance.now() + this.#settings.watchedMs;
    this.#beginDue();
    const first = this.#probes.filter(({ part }) => !this.#states.has(part)).map(({ part }) => this.#looking.get(part));
    await this.#within(Promise.allSettled(first), firstMs).catch(() => undefined);
    return this.known();
  }

  known(): readonly PartState[] {
    return pulseParts
      .filter((part) => this.#probes.some((probe) => probe.part === part))
      .map((part) => this.#states.get(part) ?? { part, light: 'unknown', finding: 'Not looked at yet.', since: null });
  }

  keepLooking(): void {
    this.#isKept = true;
  }

  close(): void {
    this.#endLooking();
    this.#loop.close();
  }

  #isWatched(): boolean {
    return performance.now() < this.#watchedUntil;
  }

  #beginDue(): void {
    for (const probe of this.#probes)
      if (!this.#looking.has(probe.part) && performance.now() >= (this.#nextAt.get(probe.part) ?? 0))
        this.#begin(probe);
  }

  #begin(probe: Probe): void {
    const { part, every } = probe;
    const running = this.#judge(probe).finally(() => {
      this.#looking.delete(part);
      this.#nextAt.set(part, performance.now() + 1000 * (this.#isWatched() ? every.watched : every.else));
    });
    this.#looking.set(part, running);
  }

  async #judge({ part, look, needsDatabase }: Probe): Promise<void> {
    const running = look();
    try {
      const { light, finding } = await this.#within(running, this.#settings.deadlineMs);
      this.#settle(part, light, finding);
    } catch (error) {
      const isOthers = needsDatabase === true && !(await this.#isDatabaseWell());
      this.#settle(part, isOthers ? 'unknown' : 'red', isOthers ? databaseAway : wordsOf(error));
    }
    // What hangs is not asked a second time meanwhile.
    await running.catch(() => undefined);
  }

  #settle(part: PulsePart, light: PulseLight, finding: string): void {
    const before = this.#states.get(part);
    const since = before?.light === light ? before.since : new Date(this.#settings.clock());
    this.#states.set(part, { part, light, finding, since });
  }

  async #isDatabaseWell(): Promise<boolean> {
    const probe = this.#probes.find(({ part }) => part === 'database');
    if (probe === undefined) return true;
    return this.#within(probe.look(), this.#settings.deadlineMs).then(
      () => true,
      () => false,
    );
  }

  /** @throws once it has taken so long while this process listened */
  #within<T>(work: Promise<T>, ms: number): Promise<T> {
    return new Promise<T>((done, fail) => {
      const forget = this.#loop.after(ms, () => fail(new Error(`It has not answered within ${ms / 1000} seconds.`)));
      void work.then(done, fail).finally(forget);
    });
  }
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
