import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stopWriting, untilWaiting } from '#tests/support/database/waiting.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let lena: Person;
let albumId: string;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  lena = await signUpCreator(app);
  albumId = await addReadyAlbum(app, lena.userId);
});
afterAll(() => app.close());

const call = (procedure: string, input: unknown, browser = lena.browser) =>
  app.call(`links.${procedure}`, input, browser);

async function signInElsewhere(): Promise<Browser> {
  const browser = newBrowser();
  const { status } = await app.call('accounts.signIn', { email: lena.email, password: lena.password }, browser);
  expect(status).toBe(200);
  return browser;
}

const countUnrevoked = async () =>
  (await readRows(app, 'select id from magic_links where user_id = $1 and not is_revoked', [lena.userId])).length;

describe('locking everything', () => {
  it('also ends a link that is being made at that moment, in whichever browser', async () => {
    const goOn = await stopWriting(app, 'codeword_log');
    const making = call('create', { albumIds: [albumId] });
    await untilWaiting(app, 1);
    const locking = call('lockEverything', {});
    await untilWaiting(app, 2);
    await goOn();
    expect((await making).status).toBe(200);
    expect((await locking).body).toEqual({ revoked: 1 });
    expect(await countUnrevoked()).toBe(0);
  });

  it('also ends a link that is being brought back at that moment', async () => {
    const { body: link } = await call('create', { albumIds: [albumId] });
    await call('revoke', { linkIds: [link.id] });
    const goOn = await stopWriting(app, 'audit_log');
    const reviving = call('undoRevoke', { linkIds: [link.id] });
    await untilWaiting(app, 1);
    const locking = call('lockEverything', {});
    await untilWaiting(app, 2);
    await goOn();
    expect((await reviving).status).toBe(200);
    expect((await locking).body).toEqual({ revoked: 1 });
    expect(await countUnrevoked()).toBe(0);
  });

  it('lets nobody make or bring back a link who was signed out by it while they waited', async () => {
    const { body: link } = await call('create', { albumIds: [albumId] });
    const elsewhere = [await signInElsewhere(), await signInElsewhere()] as const;
    const goOn = await stopWriting(app, 'audit_log');
    const locking = call('lockEverything', {});
    await untilWaiting(app, 1);
    const making = call('create', { albumIds: [albumId] }, elsewhere[0]);
    const reviving = call('undoRevoke', { linkIds: [link.id] }, elsewhere[1]);
    await untilWaiting(app, 3);
    await goOn();
    expect((await locking).status).toBe(200);
    expect([(await making).status, (await reviving).status]).toEqual([401, 401]);
    expect(await countUnrevoked()).toBe(0);
    expect((await call('create', { albumIds: [albumId] })).status).toBe(200);
  });
});
