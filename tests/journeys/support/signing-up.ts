import { setTimeout as wait } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { type Caller, call } from './calls.ts';

/** Somebody who has an account. */
export interface Creator {
  email: string;
  password: string;
}

interface Server {
  url: string;
  readEmail(email: string): Promise<{ code: string }>;
}

export const password = 'three calm rivers';
let people = 0;

interface Person {
  email?: string;
  displayName?: string;
  /** Where she stops; without it, when everything is set up. */
  before?: 'consent';
}

/** Signs this page's browser up by the calls of the pages. */
export async function signUp(
  page: Caller,
  { url, readEmail }: Server,
  { email = newAddress(), displayName = 'Mia', before }: Person = {},
): Promise<Creator> {
  const post = (to: string, data: object) => call(page, url, 'POST', to, data);
  await askForCode(page, url, email);
  await post('/confirm', { code: (await readEmail(email)).code });
  await finishSetup(page, url, { displayName, ...(before && { before }) });
  return { email, password };
}

/** The steps of the setup by the calls of the pages, for whoever has confirmed her address. */
export async function finishSetup(
  page: Caller,
  url: string,
  { displayName = 'Mia', before }: Omit<Person, 'email'> = {},
): Promise<void> {
  const post = (to: string, data: object) => call(page, url, 'POST', to, data);
  await post('/account/setup/password', { password });
  const place = { country: 'DE', timeZone: 'Europe/Berlin' };
  await post('/account/setup/profile', { displayName, handle: newHandle(), ...place });
  if (before === 'consent') return;
  const consent = { birthDate: '1994-05-01', acceptsTerms: true, acceptsContentPolicy: true };
  await post('/account/setup/consent', consent);
  await post('/account/setup/finish', {});
}

/** A mailbox gets one email a minute: whoever asks for another one waits for as long as she is told. */
async function askForCode(page: Caller, url: string, email: string): Promise<void> {
  const headers = { 'x-csrf-token': 'orpc' };
  const ask = () => page.request.post(`${url}/api/v1/sign-up`, { headers, data: { email, isAdult: true } });
  let answer = await ask();
  if (answer.status() === 429) {
    await wait(1000 * (await answer.json()).data.retryAfter);
    answer = await ask();
  }
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Signs up through the pages, as a person does, as far as the end of the setup. */
export async function signUpByHand(
  page: Page,
  { url, readEmail }: Server,
  onStep: (name: string) => Promise<void>,
): Promise<Creator> {
  const email = newAddress();
  await page.goto(`${url}/auth?action=signup`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('checkbox', { name: /18 years or older/ }).check();
  await page.getByRole('button', { name: 'Start Free Trial' }).click();
  await startTrial(page);
  await expect(page.getByLabel('6-digit code')).toBeFocused();
  await onStep('check-email');
  await page.getByLabel('6-digit code').fill((await readEmail(email)).code);
  // Six digits confirm themselves.
  const next = () => page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await onStep('setup-password');
  await next();
  await page.getByLabel('Display name').fill('Mia');
  await page.getByLabel('Handle').fill(newHandle());
  await onStep('setup-profile');
  await next();
  await page.getByLabel('Date of birth').fill('1994-05-01');
  await page.getByRole('checkbox', { name: /only person shown/ }).check();
  await onStep('setup-consent');
  await next();
  await expect(page.getByRole('button', { name: /Upload photos/ })).toBeVisible();
  return { email, password };
}

/** Takes the trial in the provider's frame; then the address is to be confirmed. */
export async function startTrial(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe[title="Secure checkout"]');
  await frame.getByRole('button', { name: 'Start Free Trial' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
}

const newAddress = () => `mia-${process.pid}-${++people}@example.com`;
const newHandle = () => `mia_${process.pid}_${++people}`;
