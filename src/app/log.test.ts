import { expect, test } from 'vitest';
import { DatabaseAway } from '#engines/database/away.ts';
import { describeError, onePerOutage } from './log.ts';

test('an error is told with its code and stack, without the values of rows', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
    code: '23505',
    detail: 'Key (email)=(ana@example.com) already exists.',
    where: 'line 1: "ana@example.com"',
  });
  const reported = JSON.stringify(describeError(error));
  expect(reported).toContain('23505');
  expect(reported).toContain('log.test.ts');
  expect(reported).not.toContain('ana@example.com');
});

test('one outage of the database is one line, whoever misses it and however often; every other failure is told', () => {
  const said: string[] = [];
  const note = (_about: object, words = '') => void said.push(words);
  let now = 0;
  const log = onePerOutage({ info: note, warn: note, error: note }, () => now);
  const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
  const away = new DatabaseAway(lost);
  for (let n = 0; n < 100; n++) {
    log.error({ area: 'jobs', err: lost }, 'the job store failed');
    log.warn({ err: away }, 'the database is away');
    log.error({ queue: 'q', err: new Error('asked in vain', { cause: away }) }, 'a job failed');
    now += 1000;
  }
  expect(said).toEqual(['the job store failed']);
  log.error({ err: new Error('a fault of ours') }, 'a bug');
  log.error({ err: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }) }, 'a mail server');
  log.info({}, 'something else');
  expect(said.slice(1)).toEqual(['a bug', 'a mail server', 'something else']);
  now += 61_000;
  log.error({ err: lost }, 'the job store failed');
  expect(said.at(-1)).toBe('the job store failed');
});
