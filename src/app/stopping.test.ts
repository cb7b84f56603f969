import { expect, it } from 'vitest';
import { awaitStep, stepMs, stopInTime, stopMs } from './stopping.ts';

const never = new Promise<void>(() => undefined);

it('a process ends whatever goes on in it, and when its end fails', async () => {
  const ended: string[] = [];
  await new Promise<void>(
    (exit) =>
      void stopInTime(
        () => never,
        exit,
        () => undefined,
        1,
      ),
  );
  await stopInTime(
    async () => {
      throw new Error('stuck');
    },
    () => ended.push('exit'),
    (error) => ended.push(String(error)),
    60_000,
  );
  expect(ended).toEqual(['Error: stuck', 'exit']);
});

it('a step that does not end keeps the next one waiting for its time only', async () => {
  await awaitStep(never, performance.now(), 1);
  await awaitStep(never, performance.now() - 60_000, 1000);
  await awaitStep(Promise.reject(new Error('broken')), performance.now(), 60_000);
});

it('all steps together take less than the whole', () => {
  const until = [stepMs.serving, stepMs.working, stepMs.keeping, stepMs.closing, stopMs];
  expect(until).toEqual(until.toSorted((a, b) => a - b));
});
