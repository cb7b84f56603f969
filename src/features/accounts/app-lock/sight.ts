import { lockAfterMs, workMaxMs } from '../rules.ts';

/** An open page says this often that it is in sight: another one of the same browser may have been left. */
const heartbeatMs = 30_000;
/** After this time a page that must not be shown before the server has heard of its absence tries again. */
const retryMs = 5000;

interface Ways {
  /** Files are being sent: what is under way goes on as long as the server hears of it. */
  isBusy(): boolean;
  /** A file is being chosen, which on a phone takes the page out of sight. */
  isChoosing(): boolean;
  /** Tells the server for how long nothing has been in sight. @returns whether it has taken that */
  leave(goneMs: number): Promise<boolean>;
  /** Tells it that something is in sight, or that a page out of sight is at work. @returns whether it has taken that */
  stay(isAtWork: boolean): Promise<boolean>;
  /** Asks it whether the session is locked, or over. */
  isLocked(): Promise<boolean>;
  /** Hides what is on the page, also from pictures of open apps; or shows it again. */
  cover(isCovered: boolean): void;
  /** Loads the page again, so that nothing of it is left. */
  reload(): void;
  /** Since when nothing is in sight, until the server has taken it: also when the page is gone before. */
  owed: { read(): number | undefined; write(since: number | undefined): void };
}

/** Since when a page counts as left; kept until the server has taken it. */
class Absence {
  /** The lock falls a minute after this. */
  #since: number | undefined;
  readonly #ways: Pick<Ways, 'owed' | 'leave' | 'stay'>;
  readonly #now: () => number;

  constructor(ways: Pick<Ways, 'owed' | 'leave' | 'stay'>, now: () => number) {
    this.#ways = ways;
    this.#now = now;
    this.#since = ways.owed.read();
  }
  /** Returns whether the page has been left for so long that only the server may say it is open. */
  isOver(): boolean {
    return this.#since !== undefined && this.#now() - this.#since >= lockAfterMs;
  }
  /** Whether the server has yet to hear of it. */
  isOwed(): boolean {
    return this.#ways.owed.read() !== undefined;
  }
  begin(from = this.#now()): void {
    if (!this.isOver()) this.#since = from;
    this.#ways.owed.write(this.#since);
  }
  end(): void {
    this.#since = undefined;
    this.#ways.owed.write(undefined);
  }
  async say(): Promise<void> {
    const { owed, leave } = this.#ways;
    const from = owed.read();
    if (from === undefined) return;
    if ((await leave(Math.max(0, this.#now() - from))) && owed.read() === from) owed.write(undefined);
  }
  /** The page is at work. Only what the server has heard makes its time longer. */
  async sayWork(isStillAway: () => boolean): Promise<void> {
    const from = this.#now() + workMaxMs - lockAfterMs;
    if (this.#since === undefined) this.begin(from);
    if (!(await this.#ways.stay(true)) || !isStillAway() || this.isOver()) return;
    this.#since = from;
    this.#ways.owed.write(undefined);
  }
}

/** Returns whether the lock is closed; a server that does not answer is taken for a closed one. */
async function isLocked(ways: Ways, absence: Absence): Promise<boolean> {
  await absence.say();
  return ways.isLocked().catch(() => true);
}

/** Covers the page until the server has said whether it is locked, or over; then nothing of it stays. @returns whether it is */
async function settle(ways: Ways, absence: Absence): Promise<boolean> {
  ways.cover(true);
  const isOver = await isLocked(ways, absence);
  if (isOver) ways.reload();
  return isOver;
}

/**
 * Watches over a page with an app lock. Out of sight it is covered and says so; a minute later, or when it comes back after that,
 * the server says whether it is locked, and then nothing of it stays. What the server could not be told it hears before it is asked.
 */
export function openSight(ways: Ways, now = Date.now) {
  const { isBusy, isChoosing, cover } = ways;
  const absence = new Absence(ways, now);
  let turns = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const every = (ms: number, act: () => void) => {
    clearInterval(timer);
    timer = setInterval(act, ms);
  };
  const work = () => {
    const turn = turns;
    void absence.sayWork(() => turn === turns);
  };
  const workOn = () => {
    if (absence.isOver()) return void settle(ways, absence);
    if (isBusy()) return work();
    hide();
  };
  const hide = (): void => {
    turns += 1;
    const mayWork = !absence.isOver();
    if (mayWork && isBusy()) {
      cover(true);
      work();
      every(heartbeatMs, workOn);
    } else if (mayWork && isChoosing()) {
      work();
      every(workMaxMs, () => void settle(ways, absence));
    } else {
      cover(true);
      absence.begin();
      void absence.say();
      every(lockAfterMs, () => void settle(ways, absence));
    }
  };
  const stay = () => {
    absence.end();
    void ways.stay(false);
  };
  const show = async (): Promise<void> => {
    turns += 1;
    const turn = turns;
    clearInterval(timer);
    if (absence.isOver()) {
      if ((await settle(ways, absence)) || turn !== turns) return;
      if (absence.isOwed()) return every(retryMs, () => void show());
    }
    cover(false);
    stay();
    every(heartbeatMs, stay);
  };
  const stop = () => {
    turns += 1;
    clearInterval(timer);
    cover(false);
  };
  return { hide, show, stop };
}
