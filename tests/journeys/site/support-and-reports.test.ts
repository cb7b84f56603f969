import type { Page } from '@playwright/test';
import { expect, type JourneyApp, openPhone, test } from '../support/app.ts';
import { makeAlbum } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { expectAccessible } from '../support/looking.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show } from '../support/showing.ts';
import { enter, expectDark, expectPainted, makeLink } from '../support/steps.ts';

test('a report from its arrival to an appeal: hidden at once, answered, removed, and opened again by someone else', {
  tag: '@main',
}, async ({ page, app, browser }) => {
  test.setTimeout(300_000);
  await app.newCreator(page);
  await makeAlbum(page, app.url, 'Beach', pictureFiles('sea'));
  const { url } = await makeLink(page, app.url, {});
  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  await viewer.goto(url);
  await enter(viewer, 1);

  const reporter = await phone.newPage();
  const complaints = await collectComplaints(reporter);
  await reporter.goto(`${app.url}/report`);
  const send = reporter.getByRole('button', { name: 'Send report' });
  await send.click();
  await expect(reporter.getByText('Choose what is wrong')).toBeVisible();
  await reporter.getByRole('combobox', { name: 'What is wrong?' }).click();
  await reporter.getByRole('option', { name: /An intimate picture/ }).click();
  await reporter.getByLabel('Link or page').fill(url);
  await reporter.getByLabel('What does it show?').fill('The only photo shows me, and I never agreed.');
  await reporter.getByLabel('Your full name').fill('Ana Example');
  const email = `ana-${process.pid}@example.com`;
  await reporter.getByLabel('Your email').fill(email);
  await reporter.getByRole('checkbox', { name: /in good faith/ }).check();
  await expectAccessible(reporter, 'a report');
  await send.dblclick();
  await expect(reporter.getByRole('heading', { name: 'We received your report' })).toBeFocused();
  const number = ((await reporter.getByText(/Its number is/).textContent()) ?? '').match(/\d{8}/)?.[0] ?? '';
  await show(reporter, 'report-received');

  await expect(viewer.getByText('This content was removed.')).toBeVisible();
  await expectDark(viewer);
  expect((await app.readEmail(email)).subject).toBe('We received your report');
  expect(await app.operate('reports')).toMatch(new RegExp(`^ {2}${number} .*intimate, hidden.*$`, 'm'));
  await answerAndAppeal(page, app, number);
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 1);
  expect(complaints).toEqual([]);
  await phone.close();
});

/** The creator answers, the report is decided against them, they appeal, and someone else opens it again. */
async function answerAndAppeal(page: Page, app: JourneyApp, number: string): Promise<void> {
  await page.goto(`${app.url}/account/reports`);
  const card = page.getByRole('region', { name: 'An intimate picture, shared without consent' });
  await expect(card.getByText('Hidden', { exact: true })).toBeVisible();
  await show(page, 'content-report-hidden');
  await say(page, 'Answer', 'It shows the sea, and nobody else.');
  await expect(card.getByText(/^You answered on/)).toBeVisible();
  await app.operate('reports', 'remove', number, '--by', 'First Desk', '--reason', 'Someone is in it.');
  await page.reload();
  await expect(card.getByText('Someone is in it.')).toBeVisible();
  await expectAccessible(page, 'a report of their content');
  await show(page, 'content-report-removed');
  await say(page, 'Appeal', 'Please look again: there is nobody in it.');
  await expect(card.getByText('Appealed', { exact: true })).toBeVisible();
  await app.operate('reports', 'restore', number, '--by', 'Second Desk', '--reason', 'It shows the sea.');
  await page.reload();
  await expect(card.getByText('Open again', { exact: true })).toBeVisible();
  await show(page, 'content-report-restored');
}

async function say(page: Page, button: 'Answer' | 'Appeal', text: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: 'Send', exact: true });
  await send.click();
  await expect(dialog.getByText('Use at least 10 characters')).toBeVisible();
  await dialog.getByRole('textbox').fill(text);
  await send.dblclick();
  await expect(dialog).toBeHidden();
}

test('support is written to from the foot of a page; what was typed stays until it was sent', async ({ page, app }) => {
  const complaints = await collectComplaints(page);
  await page.goto(`${app.url}/about`);
  await page.getByRole('link', { name: 'Support' }).click();
  const form = page.getByRole('dialog', { name: 'Contact support' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await form.getByLabel('Name').fill('Jo Rivers');
  await form.getByLabel('Email').fill(`jo-${process.pid}@example.com`);
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await page.getByRole('link', { name: 'Support' }).click();
  await expect(form.getByLabel('Name')).toHaveValue('Jo Rivers');
  await form.getByLabel('Subject').fill('My upload stops');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByText('Use at least 10 characters')).toBeVisible();
  await form.getByLabel('Message').fill('It stops at half of it, every time.');
  await expectAccessible(page, 'the support form');
  await show(page, 'contact-support');
  await page.route('**/support-requests', (route) => route.abort());
  await page.route('**/support/send', (route) => route.abort());
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Failed to send support request. Please try again.')).toBeVisible();
  await page.unrouteAll();
  await form.getByRole('button', { name: 'Send' }).dblclick();
  await expect(page.getByText('Support Request Sent')).toBeVisible();
  await expect(page.getByText("We'll get back to you as soon as possible.")).toBeVisible();
  expect(await app.operate('support')).toContain('My upload stops');
  await page.goto(`${app.url}/contact`);
  await expect(form.getByLabel('Name')).toBeFocused();
  await show(page, 'contact');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Write to us' }).click();
  await expect(form).toBeVisible();
  expect(complaints.filter((said) => !said.includes('ERR_FAILED'))).toEqual([]);
});
