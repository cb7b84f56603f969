import { readFileSync } from 'node:fs';
import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { show, visit } from '../support/showing.ts';
import { becomeDemo, listLinks } from '../support/steps.ts';

test.setTimeout(240_000);

const hundred = Array.from({ length: 99 }, (_, n) => `Guest ${n + 1}`);

test('a hundred names become a hundred links and a table of them', async ({ page, app }) => {
  await becomeDemo(page, app);
  const before = (await listLinks(page, app.url)).length;
  await visit(page, app, '/magic-links', 'Magic links');
  await page.getByRole('link', { name: 'Many at once' }).click();
  const make = page.getByRole('button', { name: /^Make / });
  await expect(make).toBeDisabled();
  const names = page.getByLabel('Names');
  await names.fill(`${hundred.join('\n')}\n\nguest 7\n`);
  await expect(page.getByText('“Guest 7” is in the list more than once. A link is for one person.')).toBeVisible();
  await expect(make).toBeDisabled();
  await show(page, 'many-links-doubled');
  await names.fill(`${hundred.join('\r\n')}\r\n\r\n=HYPERLINK("x")\r\n`);
  await page.getByRole('radio', { name: 'One person only' }).check();
  await expect(page.getByText('each of 100 people')).toBeVisible();
  await show(page, 'many-links');
  await make.click();
  await expect(page.getByRole('heading', { name: '100 links created' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'New links' }).getByRole('listitem')).toHaveCount(100);
  await show(page, 'many-links-made');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(101);
  expect(lines[1]).toMatch(new RegExp(`^Guest 1,${app.url}/view/[A-Za-z0-9]{22}$`));
  expect(lines[100], 'a name is no formula').toMatch(/^"'=HYPERLINK\(""x""\)",/);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy all' }).click();
  await expect(page.getByText('100 links copied')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split('\n')).toHaveLength(100);
  const { counts } = await call<{ counts: { all: number } }>(page, app.url, 'GET', '/links?limit=1');
  expect(counts.all).toBe(before + 100);
});
