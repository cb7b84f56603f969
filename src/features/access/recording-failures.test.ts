import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#kit/ids.ts';
import { readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { refuse } from '#wire/refusals.ts';
import { orNothingOnRecursion, recordingFailures } from './recording-failures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const failing = (code: string) => () =>
  readRows(app, `do $$ begin raise exception 'a policy that refers to itself' using errcode = '${code}'; end $$`);

function contextOf(): Parameters<typeof orNothingOnRecursion>[0] {
  const { engines } = app;
  const system = { kind: 'system' } as const;
  return {
    now: new Date(engines.clock()),
    requestId: 'call-1',
    creator: { userId: newId<'user'>(engines.clock()) },
    asSystem: (run) => engines.database.work(system, run),
  };
}

it('answers with nothing where row policies run in a circle, and leaves the operator a critical entry', async () => {
  expect(await orNothingOnRecursion(contextOf(), failing('42P17'), [])).toEqual([]);
  const entries = await readRows(
    app,
    `select severity, request_id from error_logs where component = 'access.requests'`,
  );
  expect(entries).toEqual([{ severity: 'critical', request_id: 'call-1' }]);
});

it('lets every other error fly', async () => {
  await expect(orNothingOnRecursion(contextOf(), failing('42501'), [])).rejects.toThrow('refers to itself');
});

it('keeps for the operator why a call failed, and nothing of what was refused', async () => {
  const about = `select error_message from error_logs where component = 'access.approve'`;
  await expect(
    recordingFailures(contextOf(), 'access.approve', () => Promise.reject(refuse('CONFLICT'))),
  ).rejects.toThrow();
  expect(await readRows(app, about)).toEqual([]);
  await expect(recordingFailures(contextOf(), 'access.approve', failing('42501'))).rejects.toThrow('refers to itself');
  expect(await readRows(app, about)).toEqual([{ error_message: 'a policy that refers to itself' }]);
});
