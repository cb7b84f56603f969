import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { advance, goodPassword, type Person, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let origin: string;
let mia: Person;
let eve: Person;

beforeAll(async () => {
  const setReal = globalThis.setInterval;
  const watched = vi.spyOn(globalThis, 'setInterval').mockImplementation(((act: () => void, ms: number) => {
    if (ms === 20_000) beats.push(act);
    return setReal(act, ms);
  }) as typeof setInterval);
  app = await openTestApp();
  watched.mockRestore();
  [mia, eve] = [await signUpCreator(app), await signUpCreator(app)];
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

/** What the server does every 20 s. */
const beats: (() => void)[] = [];

/** Opens the stream and collects what it says. */
async function hearAs({ browser }: Person, headers: Record<string, string> = {}) {
  const cut = new AbortController();
  const response = await fetch(`${origin}/api/live`, {
    headers: { ...headersOf(browser), ...headers },
    signal: cut.signal,
  });
  const received = { text: '', response, close: () => cut.abort(), hasEnded: false };
  const read = async () => {
    for await (const chunk of response.body ?? []) received.text += Buffer.from(chunk).toString();
    received.hasEnded = true;
  };
  read().catch(() => undefined);
  return received;
}

describe('GET /api/live', () => {
  it('is for signed-in people', async () => {
    const answer = await fetch(`${origin}/api/live`, { headers: headersOf(newBrowser()) });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
  it('has no HEAD, whose answer would never begin', async () => {
    const answer = await fetch(`${origin}/api/live`, {
      method: 'HEAD',
      headers: headersOf(mia.browser),
      signal: AbortSignal.timeout(4000),
    });
    expect(answer.status).toBe(404);
    expect(app.live.count()).toBe(0);
  });
  it('tells a creator what happens to her links, with ids only, and nobody else', async () => {
    const [hers, others] = [await hearAs(mia), await hearAs(eve)];
    expect(hers.response.headers.get('content-type')).toBe('text/event-stream');
    expect(hers.response.headers.get('cache-control')).toBe('no-store');
    expect(hers.response.headers.get('x-content-type-options')).toBe('nosniff');
    const albumId = await addReadyAlbum(app, mia.userId);
    const { body: link } = await app.call(
      'links.create',
      { albumIds: [albumId], linkName: 'Secret name' },
      mia.browser,
    );
    await app.call('links.revoke', { linkIds: [link.id] }, mia.browser);
    await expect.poll(() => hers.text).toContain('"kind":"link.revoked"');
    expect(hers.text).toContain(`"linkId":"${link.id}"`);
    expect(hers.text).toMatch(/^retry: [23]\d\d\d\n/);
    expect(hers.text).not.toMatch(new RegExp(`Secret|${link.slug}|${mia.email}`));
    expect(others.text).not.toContain('data:');
    const lastId = [...hers.text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id)[0] ?? '';
    hers.close();
    const again = await hearAs(mia, { 'last-event-id': lastId });
    await expect.poll(() => again.text).toContain('"kind":"link.revoked"');
    expect(again.text).not.toContain('refetch');
    again.close();
    others.close();
    await expect.poll(() => app.live.count()).toBe(0);
  });
  it('ends within 20 seconds for a session that the app lock has closed, and for no other', async () => {
    await app.call('accounts.setAppLock', { pin: '258036', password: goodPassword }, mia.browser);
    const [hers, others] = [await hearAs(mia), await hearAs(eve)];
    await expect.poll(() => app.live.count()).toBe(2);
    const beat = () => {
      for (const act of beats) act();
    };
    await app.call('accounts.leaveApp', {}, mia.browser);
    advance(app, 59_999);
    beat();
    // By the time that this is answered the streams have been asked about, too.
    await app.call('accounts.me', {}, eve.browser);
    expect([hers.hasEnded, app.live.count()]).toEqual([false, 2]);
    advance(app, 1);
    beat();
    await expect.poll(() => [hers.hasEnded, others.hasEnded, app.live.count()]).toEqual([true, false, 1]);
    others.close();
    await expect.poll(() => app.live.count()).toBe(0);
  });
});
