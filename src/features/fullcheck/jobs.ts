import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { JobRequeued } from '#engines/jobs/jobs.ts';
import { fullCheckRedEmail } from '#features/notices/provider-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { CheckPart, CheckStep } from './contract.ts';
import { aliveEveryMs, isDead, keptMs, resultOf } from './rules.ts';
import { runQueue, startCheck } from './starting.ts';
import { endCheck, findCheck, findRunning, forgetChecks, keepSteps, noteAlive, takeUp } from './store.ts';

const system = { kind: 'system' } as const;

/** How a run tells how far it is. */
export interface Telling {
  checkId: string;
  /** Only this part, with what it needs; null for the whole check. */
  part: CheckPart | null;
  /** Keeps the steps as they are now. */
  tell(steps: readonly CheckStep[]): Promise<void>;
  /** Aborted when the run was asked to end, or its process ends. */
  signal: AbortSignal;
  /** Aborted when its process ends: then nothing more is done, and the run is ended by its next try. */
  stopping: AbortSignal;
}

/** The outcome of a run. */
export interface CheckOutcome {
  steps: CheckStep[];
  /** Procedures that it has called and that did what they were asked. */
  passedCalls: string[];
}

/** Who asks for what runs have left to be removed. */
export interface Cleaning {
  /** The run that is under way and asks; null for none. */
  own: string | null;
  /** It has come to its end: what it has made goes as well. */
  isOver: boolean;
  /** Of the runs only these; left out, all that have ended. */
  only?: readonly string[];
}

/** What the app brings, which alone knows every room: the steps themselves, and what removes all that they have made. */
export interface FullCheckDoing {
  runSteps(engines: Engines, telling: Telling): Promise<CheckOutcome>;
  /** Removes what runs have left. @throws where something stays that may go */
  cleanUp(engines: Engines, cleaning: Cleaning): Promise<void>;
}

/** Declares the run itself, and the one of every night. @returns breaks off a run that is under way: the next start removes what it has made */
export function declareFullCheckJobs(engines: Engines, doing: FullCheckDoing): () => Promise<void> {
  const ending = new AbortController();
  let running: Promise<void> = Promise.resolve();
  engines.jobs.handle<{ checkId: string }>(
    runQueue,
    ({ checkId }, signal) => {
      const made = runCheck(engines, doing, checkId, AbortSignal.any([signal, ending.signal]));
      running = made.catch(() => undefined);
      return made;
    },
    { atOnce: 1, retryLimit: 1, retryDelaySeconds: 5, expireInSeconds: 1200 },
  );
  engines.jobs.every('23 3 * * *', 'fullcheck.nightly', () => checkByNight(engines, doing), { expireInSeconds: 900 });
  return async () => {
    ending.abort();
    await running;
  };
}

/** Ends a run whose process has died, removes what it has left, and begins the run of the night unless that is turned off. */
export async function checkByNight(engines: Engines, doing: FullCheckDoing): Promise<void> {
  const { database, clock } = engines;
  const now = new Date(clock());
  await database.work(system, async (tx) => {
    const running = await findRunning(tx);
    if (running !== undefined && isDead(running, now)) await endAsDied(engines, tx, running.id, now);
    await forgetChecks(tx, new Date(now.getTime() - keptMs));
  });
  await cleanBefore(engines, doing, null);
  const settings = await settingsOf(engines);
  if (settings['operations.nightlyCheck'] === 1)
    await database.work(system, (tx) => startCheck(engines, tx, { type: 'system' }));
}

/** Makes a run. One that comes a second time was cut off in its first: it is ended, and what it has left is removed. */
export async function runCheck(
  engines: Engines,
  doing: FullCheckDoing,
  checkId: string,
  stopping: AbortSignal,
): Promise<void> {
  const { database, clock } = engines;
  const check = await database.work(system, async (tx) =>
    (await takeUp(tx, checkId, new Date(clock()))) ? findCheck(tx, checkId) : undefined,
  );
  if (check === undefined) {
    await database.work(system, (tx) => endAsDied(engines, tx, checkId, new Date(clock())));
    return cleanBefore(engines, doing, null);
  }
  const alive = keepAlive(engines, checkId, stopping);
  try {
    await cleanBefore(engines, doing, checkId);
    const tell = (steps: readonly CheckStep[]) => database.work(system, (tx) => keepSteps(tx, checkId, steps));
    const outcome = await doing.runSteps(engines, { checkId, part: check.part, tell, signal: alive.signal, stopping });
    if (stopping.aborted) throw new JobRequeued();
    await tell(outcome.steps);
    await finish(engines, checkId, outcome);
  } finally {
    alive.end();
  }
}

/** Removes what earlier runs have left. What cannot go yet is seen by the run itself, whose last step removes everything, and says so. */
async function cleanBefore(engines: Engines, doing: FullCheckDoing, own: string | null): Promise<void> {
  await doing.cleanUp(engines, { own, isOver: false }).catch((error: unknown) => {
    engines.log.warn({ area: 'full check', err: error }, 'what earlier full checks have left could not all be removed');
  });
}

/** Says again and again that a run is alive, and hears whether it is asked to end. */
function keepAlive({ database, clock, log }: Engines, checkId: string, stopping: AbortSignal) {
  const ending = new AbortController();
  const say = async () => {
    try {
      const goesOn = await database.work(system, (tx) => noteAlive(tx, checkId, new Date(clock())));
      if (!goesOn) ending.abort();
    } catch (error) {
      log.warn({ area: 'full check', err: error }, 'the full check could not say that it is alive');
    }
  };
  const timer = setInterval(() => void say(), aliveEveryMs);
  return { signal: AbortSignal.any([ending.signal, stopping]), end: () => clearInterval(timer) };
}

/** Writes the result down, and mails the operator of what failed in the same transaction. */
async function finish(engines: Engines, checkId: string, { steps, passedCalls }: CheckOutcome): Promise<void> {
  const { database, clock } = engines;
  const now = new Date(clock());
  await database.work(system, async (tx) => {
    const { isEnding = false, part = null } = (await findCheck(tx, checkId)) ?? {};
    const result = resultOf(steps, isEnding);
    const isEnded = await endCheck(tx, checkId, result, now, passedCalls);
    // Whoever begins a part of it looks at it.
    if (!isEnded || result !== 'red' || part !== null) return;
    const failed = steps.filter(({ state }) => state === 'failed').map(({ title, said }) => `${title}: ${said}`);
    await mailOperator(engines, tx, failed, now);
  });
}

/** Ends a run whose process is gone, and mails the operator in the same transaction. */
async function endAsDied(engines: Engines, tx: Tx, checkId: string, now: Date): Promise<void> {
  if (await endCheck(tx, checkId, 'died', now))
    await mailOperator(engines, tx, ['The check itself: its process ended before it was over.'], now);
}

async function mailOperator(
  { jobs, installation: { operatorEmail, publicUrl } }: Engines,
  tx: Tx,
  failed: string[],
  now: Date,
): Promise<void> {
  if (operatorEmail === undefined) return;
  const words = fullCheckRedEmail({ failed, page: `${publicUrl}/admin/fullcheck` });
  await queueEmail(tx, jobs, { to: operatorEmail, now, ...words });
}
