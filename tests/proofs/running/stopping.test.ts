import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  clearStarts,
  endGroup,
  expectCalmEnd,
  expectGone,
  makePlace,
  npmStart,
} from '#tests/support/servers/npm-start.ts';
import { visit } from '#tests/support/servers/visitor.ts';
import { guards } from '../counts.ts';

guards(
  'src/main.ts',
  'src/app/*.ts',
  'src/app/dev/**',
  'src/engines/database/**',
  'src/engines/jobs/**',
  'scripts/ensure*.mjs',
);

/** The real product by `npm start`, ended as people end it: by a service manager, with its terminal, in the middle of its boot. */
clearStarts();

test.each([
  ['SIGINT to all in front of a terminal', endGroup('SIGINT')],
  ['SIGTERM to npm alone', (child) => child.kill('SIGTERM')],
  ['a closed terminal', endGroup('SIGHUP')],
] as [string, ReturnType<typeof endGroup>][])(
  '%s leaves no process and nothing damaged, and the next start finds everything',
  { timeout: 240_000 },
  async (_, end) => expectCalmEnd(false, end),
);

test('the first start says the address and the demo, once; the second says the address alone', async () => {
  const { dataDir, port } = await makePlace();
  const first = npmStart(dataDir, port, false, {});
  const timesOf = (words: string) => first.said().split(words).length - 1;
  await first.untilUp();
  await expect.poll(() => timesOf('/view/'), { timeout: 240_000 }).toBe(1);
  expect(first.said()).toMatch(/creator +creator@example\.com +\S{12,}\n +admin +admin@example\.com +\S{12,}\n/);
  const [, link = ''] = /viewer +(\S+\/view\/\S+)/.exec(first.said()) ?? [];
  expect(link.startsWith(`${first.url}/view/`), link).toBe(true);
  for (const words of ['creator@', 'admin@', `${first.url}\n`]) expect(timesOf(words), words).toBe(1);

  const door = await (await fetch(link)).text();
  expect(door, 'a messenger asks for the card by its whole address').toContain(
    `<meta property="og:image" content="${first.url}/viewer/assets/`,
  );
  expect((await fetch(`${first.url}/earnings/2024?from=mail`)).status).toBe(404);
  // With the log as it is by itself.
  await expect.poll(() => first.said()).toContain('"missing":"/earnings/2024"');
  await expectGone(first, dataDir, endGroup('SIGINT'));

  const second = npmStart(dataDir, port, false);
  await second.untilUp();
  await expect.poll(() => second.said()).toContain(`${second.url}\n`);
  expect(second.said()).not.toMatch(/creator@|admin@|\/view\//);
  await expectGone(second, dataDir, endGroup('SIGINT'));
});

test('Ctrl-C in the middle of the first boot leaves no process, and the next start finishes it', async () => {
  const { dataDir, port } = await makePlace();
  const first = npmStart(dataDir, port, false);
  await expect.poll(() => existsSync(path.join(dataDir, 'pg')), { interval: 10 }).toBe(true);
  await expectGone(first, dataDir, endGroup('SIGINT'));
  const second = npmStart(dataDir, port, false);
  await second.untilUp();
  await visit(second).signUp('mia@example.com');
  await expectGone(second, dataDir, endGroup('SIGTERM'));
});
