import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { showViewerApp } from '../support/showing.ts';
import { becomeDemo, expectPainted, makeLink, openDoor } from '../support/steps.ts';

const neutral = "This link isn't available";

test('the one viewer of a link comes back on another phone, with a code that is mailed to the address they have proven', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(240_000);
  await becomeDemo(page, app);
  const rules = { ageGate: false, bindFirstViewer: true, email: { verify: true, allow: [] } };
  const link = await makeLink(page, app.url, { rules });
  const first = await openDoor(browser, link.url);
  await first.viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await first.viewer.getByLabel('Email').fill('once-here@example.com');
  await first.viewer.getByRole('button', { name: 'Send code' }).click();
  await first.viewer.getByLabel('6-digit code').fill((await app.readEmail('once-here@example.com')).code);
  await first.viewer.getByRole('button', { name: 'Continue' }).click();
  await expectPainted(first.viewer, 8);
  await first.phone.close();

  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByLabel('Email'), 'a link that asks for an address lets them prove it').toBeVisible();
  await phone.close();

  // Of a link that asks for none any more, the address is still known.
  const later = await openDoor(browser, link.url);
  await call(page, app.url, 'PATCH', `/links/${link.id}`, { rules: { ageGate: false, bindFirstViewer: true } });
  const second = later.viewer;
  await second.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(second.getByRole('heading', { name: neutral })).toBeVisible();
  await second.getByRole('button', { name: 'I have an access code' }).click();
  await expect(second.getByRole('button', { name: 'Get a code by email' })).toBeVisible();
  await showViewerApp(second, 'gate-code-or-email');
  await second.getByRole('button', { name: 'Get a code by email' }).click();
  await expect(second.getByLabel('Email')).toBeFocused();
  await showViewerApp(second, 'gate-code-by-email');

  // A stranger's address is answered as hers is.
  await second.getByLabel('Email').fill('stranger@example.com');
  await second.getByRole('button', { name: 'Send code' }).click();
  await expect(second.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await showViewerApp(second, 'gate-code-sent');
  // One address gets one code in half a minute, and this one has had its own.
  await app.turnClock(31);
  await second.getByRole('button', { name: 'Use another email' }).click();
  await second.getByLabel('Email').fill('once-here@example.com');
  await second.getByRole('button', { name: 'Send code' }).click();
  await expect(second.getByLabel('Access code')).toBeVisible();
  await expect(second.getByRole('alert')).toHaveText('');
  const { code } = await app.readEmail('once-here@example.com', 'come back');
  await second.getByLabel('Access code').fill(code);
  await second.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(second, 8);
  await later.phone.close();
});
