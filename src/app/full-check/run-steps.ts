import type { Engines } from '#engines/engines.ts';
import type { CheckStep } from '#features/fullcheck/contract.ts';
import type { CheckOutcome, Telling } from '#features/fullcheck/jobs.ts';
import { cleanUp } from './clean-up.ts';
import type { Step } from './step.ts';
import { stepsOf } from './steps.ts';
import { NotRun, openWorld } from './world.ts';

export { cleanUp };

const cleaning = { key: 'clean_up', title: 'Everything that the check has made is removed' };

/**
 * Goes through the steps. One that fails holds up only those that need it, and what was made is removed in any case.
 * @returns the steps as they ended, and what was called on the way
 */
export async function runSteps(
  engines: Engines,
  { checkId, part, tell, signal, stopping }: Telling,
): Promise<CheckOutcome> {
  const steps = stepsOf(part);
  const list: CheckStep[] = [...steps, cleaning].map(({ key, title }) => ({
    key,
    title,
    state: 'waiting',
    ms: null,
    said: '',
  }));
  const shown = (key: string) => list.find((step) => step.key === key);
  const note = async (key: string, change: Partial<CheckStep>) => {
    Object.assign(shown(key) ?? {}, change);
    await tell(list);
  };
  const { world, close } = await openWorld(engines, checkId, signal);
  try {
    for (const step of steps) {
      if (signal.aborted) break;
      const missing = step.needs.map(shown).find((needed) => needed?.state !== 'passed');
      if (missing === undefined) await makeStep(step.key, () => step.run(world), note, signal);
      else await leaveOut(step, missing, note);
    }
  } finally {
    await close();
    if (!stopping.aborted) await makeStep(cleaning.key, () => removeAll(engines, checkId), note);
  }
  return { steps: list, passedCalls: [...world.passedCalls].sort() };
}

async function removeAll(engines: Engines, checkId: string): Promise<string> {
  await cleanUp(engines, { own: checkId, isOver: true });
  return '';
}

type Note = (key: string, change: Partial<CheckStep>) => Promise<void>;

/** A step that needs one that cannot be made here cannot be made either; one that needs a failed one says nothing. */
const leaveOut = ({ key }: Step, missing: CheckStep, note: Note): Promise<void> =>
  note(key, {
    state: missing.state === 'not_run' ? 'not_run' : 'left_out',
    said: missing.state === 'not_run' ? missing.said : `It needs “${missing.title}”.`,
  });

/** @param signal aborted when the run was asked to end: a step that it breaks off has not failed */
async function makeStep(key: string, run: () => Promise<string>, note: Note, signal?: AbortSignal): Promise<void> {
  await note(key, { state: 'running' });
  const beganMs = performance.now();
  const end = (state: CheckStep['state'], said: string) =>
    note(key, { state, said: said.slice(0, 500), ms: Math.round(performance.now() - beganMs) });
  try {
    await end('passed', await run());
  } catch (error) {
    if (signal?.aborted) return end('left_out', 'The run was ended meanwhile.');
    const words = error instanceof Error ? error.message : String(error);
    await end(error instanceof NotRun ? 'not_run' : 'failed', words);
  }
}
