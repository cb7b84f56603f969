import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type APIRequestContext, expect, type Page } from '@playwright/test';

/* How a story sets its scene: by the calls that the pages make, with the session of its own page. */

/** Whoever calls the API: a page, or somebody without one. */
export interface Caller {
  request: APIRequestContext;
}

/** Calls the product's API with the page's own session. */
export async function call<T>(page: Caller, url: string, method: string, to: string, data?: object): Promise<T> {
  const answer = await page.request.fetch(`${url}/api/v1${to}`, {
    method,
    headers: { 'x-csrf-token': 'orpc' },
    ...(data && { data }),
  });
  if (!answer.ok()) throw new Error(`${method} ${to}: ${answer.status()} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** An album of whoever is signed in, with files that are ready. @returns its id */
export async function makeAlbum(
  page: Caller,
  url: string,
  name: string,
  files: readonly string[] = [],
): Promise<string> {
  const { id: albumId } = await call<{ id: string }>(page, url, 'POST', '/albums', { name, peopleConsent: 'only_me' });
  for (const file of files) await upload(page, url, { albumId, name: path.basename(file), bytes: readFileSync(file) });
  await untilItemsReady(page, url, albumId, files.length);
  return albumId;
}

/** The same, and opens its page. @returns its id */
export async function openNewAlbum(
  page: Page,
  url: string,
  name: string,
  files: readonly string[] = [],
): Promise<string> {
  const albumId = await makeAlbum(page, url, name, files);
  await page.goto(`${url}/albums/${albumId}`);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  return albumId;
}

/** An album of the demo's creator with so many of her photos, at most twelve: nothing has to be made ready. @returns its id */
export async function gatherDemoPhotos(page: Caller, url: string, name: string, count: number): Promise<string> {
  const { albums } = await call<{ albums: { id: string; name: string }[] }>(page, url, 'GET', '/albums?filter=ready');
  const demo = albums.filter((album) => ['Golden hour', 'Sea week'].includes(album.name));
  const known = await Promise.all(demo.map(({ id }) => listItems(page, url, id)));
  const mediaIds = known.flatMap((items) => items.map(({ id }) => id)).slice(0, count);
  const { id: albumId } = await call<{ id: string }>(page, url, 'POST', '/albums', { name, peopleConsent: 'only_me' });
  await call(page, url, 'POST', `/albums/${albumId}/items`, { mediaIds });
  return albumId;
}

const types: Readonly<Record<string, string>> = { '.mp4': 'video/mp4' };

/** Puts a file into an album in one piece. */
export async function upload(
  page: Caller,
  url: string,
  { albumId, name, bytes }: { albumId: string; name: string; bytes: Buffer },
): Promise<void> {
  const facts = { albumId, filename: name, filetype: types[path.extname(name)] ?? 'image/jpeg' };
  const metadata = Object.entries(facts).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`);
  const headers = {
    'tus-resumable': '1.0.0',
    'x-csrf-token': 'orpc',
    'content-type': 'application/offset+octet-stream',
    'upload-length': String(bytes.length),
    'upload-metadata': metadata.join(','),
  };
  const answer = await page.request.post(`${url}/files`, { headers, data: bytes });
  expect(answer.status(), await answer.text()).toBe(201);
}

interface Item {
  id: string;
  state: string;
  originalName: string;
}

export const listItems = async (page: Caller, url: string, albumId: string): Promise<Item[]> =>
  (await call<{ items: Item[] }>(page, url, 'GET', `/albums/${albumId}`)).items;

/** Waits until so many items of an album are ready. */
export async function untilItemsReady(page: Caller, url: string, albumId: string, count: number): Promise<void> {
  const countReady = async () => (await listItems(page, url, albumId)).filter(({ state }) => state === 'ready').length;
  await expect.poll(countReady, { timeout: 900_000, intervals: [100, 250] }).toBe(count);
}
