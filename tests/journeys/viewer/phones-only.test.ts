import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { becomeDemo, expectPainted, makeLink, openDoor } from '../support/steps.ts';

test('a link for phones tells a computer where to open it, and opens on a phone', async ({ page, app, browser }) => {
  test.setTimeout(240_000);
  await becomeDemo(page, app);
  const { id, url } = await makeLink(page, app.url, { rules: { ageGate: false } });
  await page.goto(`${app.url}/magic-links/${id}`);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('button', { name: 'Phones only' }).click();
  await expect(page.getByText('A browser on a computer can claim to be a phone')).toBeVisible();
  await show(page, 'link-phones-only');
  await page.getByRole('button', { name: 'Phones and tablets only' }).click();
  await expect(page.getByRole('button', { name: 'phones and tablets only', exact: true })).toBeVisible();
  await expect(page.getByText('can open it on a phone or tablet.')).toBeVisible();

  const desk = await browser.newContext({ permissions: ['clipboard-write', 'clipboard-read'] });
  const reader = await desk.newPage();
  await reader.goto(url);
  await reader.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(reader.getByRole('heading', { name: 'Open this on your phone' })).toBeVisible();
  await expect(reader.getByLabel('Address')).toHaveValue(url);
  await reader.getByRole('button', { name: 'Copy the address' }).click();
  await expect(reader.getByRole('button', { name: 'Copied' })).toBeVisible();
  await showViewerApp(reader, 'gate-phones-only');
  await desk.close();

  const { phone, viewer } = await openDoor(browser, url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  await phone.close();
  const link = await call<{ policy: { desktopAllowed: boolean } }>(page, app.url, 'GET', `/links/${id}`);
  expect(link.policy.desktopAllowed).toBe(false);
});
