import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findMissing, findMistyped } from './needed-settings.mjs';

const namesIn = (lines: string[]) => lines.map((line) => line.split(':')[0]);

test('a variable whose name is nearly one of ours is named with the one that may be meant', () => {
  for (const [said, meant] of [
    ['SMPT_URL', 'SMTP_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['OPERATOR_MAIL', 'OPERATOR_EMAIL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['Smtp_Url', 'SMTP_URL'],
  ] as const)
    expect(findMistyped({ [said]: 'x' })).toEqual([expect.stringMatching(`^${said}: not read, ${meant} may be meant`)]);
});

test('what others put into the environment is no mistake, and neither is a name beside the right one', () => {
  const usual = {
    PATH: '/bin',
    HOME: '/root',
    POST: '1',
    HOSTS: 'x',
    NODE_ENV: 'x',
    npm_lifecycle_event: 'start',
    LANG: 'C',
  };
  expect(findMistyped(usual)).toEqual([]);
  expect(findMistyped({ SMPT_URL: 'x', SMTP_URL: 'y' })).toEqual([]);
  expect(findMistyped({ SMPT_URL: '' })).toEqual([]);
});

test('what is missing is told by any Node, without a package and without types', () => {
  expect(namesIn(findMissing({ PUBLIC_URL: 'https://fans.example' }))).toEqual(['SMTP_URL', 'MAIL_FROM']);
  const file = new URL('./needed-settings.mjs', import.meta.url).href;
  const program = `import(${JSON.stringify(file)}).then(({ findMissing }) => console.log(findMissing({ PF_MODE: 'live' }).length))`;
  const { stdout } = spawnSync(process.execPath, ['--no-experimental-strip-types', '-e', program], {
    encoding: 'utf8',
  });
  expect(stdout.trim()).toBe('3');
});
