import { expect, test } from '../support/app.ts';
import { showViewerApp } from '../support/showing.ts';
import { becomeDemo, expectPainted, makeLink, openDoor } from '../support/steps.ts';

test('whoever comes before a link begins leaves an address, and one email tells when it does', async ({
  page,
  ownApp,
  browser,
}) => {
  test.setTimeout(300_000);
  await becomeDemo(page, ownApp);
  const notBefore = new Date(Date.now() + 2 * 3_600_000).toISOString();
  const link = await makeLink(page, ownApp.url, { rules: { ageGate: false, notBefore } });
  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  const counting = viewer.getByRole('heading', { name: /^Opens in (2 h|1 h \d+ min)$/ });
  await expect(counting).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Remind me by email' })).toBeVisible();
  await showViewerApp(viewer, 'gate-not-yet-reminder');
  await viewer.getByRole('button', { name: 'Remind me by email' }).click();
  await expect(viewer.getByLabel('Email')).toBeFocused();
  await showViewerApp(viewer, 'gate-not-yet-email');
  await viewer.getByLabel('Email').fill('early@example.com');
  await viewer.getByRole('button', { name: 'Send code' }).click();
  await expect(viewer.getByRole('heading', { name: 'Check your email' })).toBeVisible();

  // The letters of the code may have gone astray: another address is one tap away.
  await viewer.getByRole('button', { name: 'Use another email' }).click();
  await viewer.getByLabel('Email').fill('bird@example.com');
  await viewer.getByRole('button', { name: 'Send code' }).click();
  await expect(viewer.getByLabel('6-digit code')).toBeVisible();
  await expect(viewer.getByRole('alert')).toHaveText('');
  await viewer.getByLabel('6-digit code').fill((await ownApp.readEmail('bird@example.com')).code);
  await viewer.getByRole('button', { name: 'Continue' }).click();
  await expect(counting).toBeVisible();
  await expect(viewer.getByText("We'll email b•••@example.com once, when this opens.")).toBeVisible();
  await showViewerApp(viewer, 'gate-not-yet-reminded');

  // Changing one's mind is a tap, in both directions.
  await viewer.getByRole('button', { name: "Don't remind me" }).click();
  await expect(viewer.getByRole('button', { name: 'Remind me by email' })).toBeVisible();
  await ownApp.turnClock(60);
  await viewer.getByRole('button', { name: 'Remind me by email' }).click();
  await viewer.getByLabel('Email').fill('lark@example.com');
  await viewer.getByRole('button', { name: 'Send code' }).click();
  await viewer.getByLabel('6-digit code').fill((await ownApp.readEmail('lark@example.com')).code);
  await viewer.getByRole('button', { name: 'Continue' }).click();
  await expect(viewer.getByText("We'll email l•••@example.com once")).toBeVisible();
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByText("We'll email l•••@example.com once")).toBeVisible();

  await ownApp.turnClock(2 * 3600);
  const reported = async () =>
    expect((await ownApp.readEmail('lark@example.com', 'Its time has come')).link).toBe(link.url);
  await expect(reported).toPass({ timeout: 120_000 });
  await viewer.goto((await ownApp.readEmail('lark@example.com', 'Its time has come')).link);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  await phone.close();
});
