import { expect, test } from 'vitest';
import { tellError } from './log.ts';

test('an error is told with its code and stack, without the values of rows', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
    code: '23505',
    detail: 'Key (email)=(ana@example.com) already exists.',
    where: 'line 1: "ana@example.com"',
  });
  const told = JSON.stringify(tellError(error));
  expect(told).toContain('23505');
  expect(told).toContain('log.test.ts');
  expect(told).not.toContain('ana@example.com');
});
