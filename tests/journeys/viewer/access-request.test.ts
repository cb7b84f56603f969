import { expect, test } from '../support/app.ts';
import { becomeDemo, expectDark, expectPainted, makeLink, openDoor } from '../support/steps.ts';

const asking = { rules: { offers: [{ id: 'ask', all: [{ kind: 'approval' }] }] } };

test('somebody asks, the creator says yes, and the page opens by itself', { tag: '@main' }, async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { recipientName: 'Bob', ...asking });
  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByRole('heading', { name: 'Ask Ana for access' })).toBeVisible();
  await expectDark(viewer);
  await viewer.getByRole('button', { name: 'Send request' }).click();
  await expect(viewer.getByRole('heading', { name: 'Ask Ana for access' }), 'a name is needed').toBeVisible();
  await viewer.getByLabel('Your name').fill('Bob from the beach');
  await viewer.getByLabel('Message (optional)').fill('We met in June.');
  await viewer.getByRole('button', { name: 'Send request' }).click();
  await expect(viewer.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Withdraw request' })).toBeVisible();

  await page.goto(`${app.url}/`);
  const pending = page.getByRole('region', { name: 'Pending Approval' });
  await expect(pending.getByText('Bob from the beach')).toBeVisible();
  await expect(pending.getByText('“We met in June.”')).toBeVisible();
  await pending
    .getByRole('listitem')
    .filter({ hasText: 'Bob from the beach' })
    .getByRole('button', { name: 'Approve', exact: true })
    .dblclick();
  await expect(page.getByText('Access Granted', { exact: true })).toBeVisible();
  await expect(page.getByText('The viewer can now access the album')).toBeVisible();
  await expectPainted(viewer, 8);

  // Taken back, the screen goes dark, and the viewer can ask again.
  await page.goto(`${app.url}/access-requests`);
  await expect(page.getByRole('heading', { name: 'All Access Requests' })).toBeVisible();
  const people = page.getByRole('region', { name: 'People with access' });
  await people
    .getByRole('listitem')
    .filter({ hasText: 'Bob from the beach' })
    .getByRole('button', { name: 'Take back' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await expect(viewer.getByRole('heading', { name: 'Ask Ana for access' })).toBeVisible();
  await expectDark(viewer);
  await phone.close();
});

test('a no is told in the creator’s words, and a blocked viewer finds nothing', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { linkName: 'For a stranger', ...asking });
  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await viewer.getByLabel('Your name').fill('Mallory');
  await viewer.getByRole('button', { name: 'Send request' }).click();
  await expect(viewer.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible();

  await page.goto(`${app.url}/access-requests`);
  const pending = page
    .getByRole('region', { name: 'Pending Approval' })
    .getByRole('listitem')
    .filter({ hasText: 'Mallory' });
  await pending.getByRole('button', { name: 'Deny Mallory with words' }).click();
  await page.getByRole('menuitem', { name: 'Deny with a text…' }).click();
  await page.getByRole('dialog').getByLabel('Text').fill('I only share this with friends.');
  await page.getByRole('dialog').getByRole('button', { name: 'Deny request' }).click();
  await expect(page.getByText('Access Denied', { exact: true })).toBeVisible();
  await expect(viewer.getByRole('heading', { name: 'Your request was declined.' })).toBeVisible();
  await expect(viewer.getByText('I only share this with friends.')).toBeVisible();
  await expect(viewer.getByText(/You can ask again on/)).toBeVisible();
  await phone.close();

  const { phone: other, viewer: again } = await openDoor(browser, link.url);
  await again.getByRole('button', { name: 'Open', exact: true }).click();
  await again.getByRole('button', { name: 'Yes' }).click();
  await again.getByLabel('Your name').fill('Mallory again');
  await again.getByRole('button', { name: 'Send request' }).click();
  await expect(again.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible();
  const second = page
    .getByRole('region', { name: 'Pending Approval' })
    .getByRole('listitem')
    .filter({ hasText: 'Mallory again' });
  await second.getByRole('button', { name: 'Deny Mallory again with words' }).click();
  await page.getByRole('menuitem', { name: 'Deny and block' }).click();
  await expect(again.getByRole('heading', { name: "This link isn't available" })).toBeVisible();
  await page.goto(`${app.url}/profile/blocked`);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Mallory again' })
    .getByRole('button', { name: 'Unblock' })
    .click();
  await expect(page.getByText('Nobody is blocked')).toBeVisible();
  await again.getByRole('button', { name: 'I have an access code' }).waitFor();
  await again.reload();
  await again.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(again.getByRole('heading', { name: 'Your request was declined.' })).toBeVisible();
  await other.close();
});
