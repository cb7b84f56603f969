import { expect, type Page } from '@playwright/test';
import { pages } from './addresses.ts';
import type { JourneyApp } from './app.ts';
import { call } from './calls.ts';

/** Which pages are not those of somebody who is signed in; each has stories of its own. */
const elsewhere = /^\/(view|auth|signup|account|dev|@)/;

/** What stands for the unknown parts of addresses. */
interface Known {
  albumId: string;
  linkId: string;
  traceId: string;
}

/** The newest album, link and copy of whoever is signed in; a copy is submitted where there is none. */
async function findKnown(page: Page, url: string): Promise<Known> {
  const [albumId = ''] = (await call<{ albums: { id: string }[] }>(page, url, 'GET', '/albums')).albums.map(idOf);
  const [linkId = ''] = (await call<{ links: { id: string }[] }>(page, url, 'GET', '/links')).links.map(idOf);
  const answer = await page.request.post(`${url}/api/traces?albumId=${albumId}`, {
    headers: { 'content-type': 'application/octet-stream', 'x-csrf-token': 'orpc' },
    data: Buffer.from('no picture at all'),
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return { albumId, linkId, traceId: (await answer.json()).traceId };
}
const idOf = ({ id }: { id: string }) => id;

/** Goes to every page of somebody who is signed in, until nothing on it is loading any more. @param look told the page's pattern */
export async function walkPages(
  page: Page,
  { url }: Pick<JourneyApp, 'url'>,
  look: (pattern: string) => Promise<void>,
): Promise<void> {
  const known = await findKnown(page, url);
  for (const pattern of pages.filter((one) => !elsewhere.test(one))) {
    const address = pattern
      .replaceAll(/:(\w+)/g, (_, part: string) => known[part as keyof Known] ?? '')
      .replace('*', 'no/such/page');
    await page.goto(`${url}${address}`);
    await expect(page.getByRole('heading').first(), pattern).toBeVisible({ timeout: 20_000 });
    await expect(page.locator('[aria-busy="true"]'), pattern).toHaveCount(0);
    await look(pattern);
  }
}
