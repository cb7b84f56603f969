import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from '#engines/engines.ts';
import type { CheckStep, FullCheck } from './contract.ts';
import { cancelCheck, startCheck } from './starting.ts';
import { findCheck, findRunning } from './store.ts';

const system = { kind: 'system' } as const;
const lookMs = 500;
/** Nobody who works takes it up for so long: the installation does not run. */
const mostLooksUntaken = 60;

/**
 * `pf fullcheck`: has the running installation make the full check, follows it, and ends with exit code 1 unless it is green. One that
 * is under way is followed to its end.
 * @param say hears each step as it ends
 * @returns how it ended
 * @throws a sentence where the installation does not run
 */
export async function runFullCheck(engines: Engines, say: (line: string) => void): Promise<string> {
  const { work } = engines.database;
  const { id, part, isNew } = await work(system, (tx) => startCheck(engines, tx, { type: 'system' }));
  if (part !== null) throw new Error('A part of the check is running. Try again in a minute.');
  if (!isNew) say('A full check is under way: this follows it.');
  const told = new Set<string>();
  for (let looks = 0; ; looks++) {
    const check = await work(system, (tx) => findCheck(tx, id));
    if (check === undefined) throw new Error('The full check is gone.');
    printNew(check.steps, told, say);
    if (check.result !== null) return describeEnd(check);
    if (looks >= mostLooksUntaken && !(await isTakenUp(engines, id))) {
      await work(system, (tx) => cancelCheck(engines, tx, { type: 'system' }));
      throw new Error('Nobody makes the check: PrivateFans does not run here. Start it (npm start), and try again.');
    }
    await wait(lookMs);
  }
}

async function isTakenUp({ database }: Engines, id: string): Promise<boolean> {
  const running = await database.work(system, findRunning);
  return running?.id !== id || running.seenAt !== null;
}

const words: Partial<Record<CheckStep['state'], string>> = {
  passed: 'passed',
  failed: 'FAILED',
  left_out: 'left out',
  not_run: 'not run',
};

function printNew(steps: readonly CheckStep[], told: Set<string>, say: (line: string) => void): void {
  for (const { key, title, state, ms, said } of steps) {
    const word = words[state];
    if (word === undefined || told.has(key)) continue;
    told.add(key);
    const time = ms === null ? '' : ` in ${(ms / 1000).toFixed(1)} s`;
    say(`${word.padEnd(8)} ${title}${time}${said === '' ? '' : ` – ${said}`}`);
  }
}

function describeEnd({ result, startedAt, endedAt }: FullCheck): string {
  if (result !== 'green') process.exitCode = 1;
  const seconds = ((endedAt ?? startedAt).getTime() - startedAt.getTime()) / 1000;
  return `The full check is ${result}, after ${seconds.toFixed(0)} s.`;
}
