import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsOf } from '#features/settings/settings.ts';
import { restCall, rpcCall, sendInside } from '#tests/proofs/asking/driver.ts';
import { listProcedures, type Procedure } from '#tests/proofs/asking/procedures.ts';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { makeAdministrator, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { changeSetting } from '../settings-command.ts';

/** What a room answers during maintenance beside the desk; everything else of it is closed. */
const open: Readonly<Record<string, string>> = {
  accounts:
    'me signIn signOut unlock resetPin leaveApp stayInApp askForPassword setPassword changePassword listSessions endSession signOutEverywhere',
  secondFactor: 'show begin turnOn signIn enter',
  passkeys: 'beginSignIn signIn beginEnter enter',
  emailChange: 'undo',
  links: 'list one revokeCost revoke revokeAll lockEverything',
  passes: 'list revoke',
  access: 'grants revokeGrant block',
  security: 'list blockViewer revokeLink',
  tracing: 'blockViewer',
  insights: 'lookingNow',
  viewing: 'closeScreen subscriptions cancelSubscription',
  consents: 'look refuse withdraw',
  reports: 'send',
  marketing: 'facts forgetVisits',
  assistant: 'facts',
  billing: 'plan cancelPlan',
};
const closedRoutes = [
  'DELETE /api/profile/avatar',
  'DELETE /files/:id',
  'GET /api/account/data/export/:exportId',
  'GET /api/insights/visits.csv',
  'GET /api/media/:mediaId/original',
  'GET /api/media/:mediaId/video/:playlist',
  'GET /api/money/receipts/:code/receipt.pdf',
  'GET /api/money/statement.csv',
  'GET /api/money/statement.pdf',
  'GET /api/traces/:traceId/original',
  'GET /api/traces/:traceId/preview',
  'GET /api/view/videos/:visitId/:mediaId/:playlist',
  'PATCH /files/:id',
  'POST /api/media/leases',
  'POST /api/traces',
  'POST /api/traces/:traceId/evidence.json',
  'POST /api/traces/:traceId/evidence.pdf',
  'POST /api/traces/:traceId/letter.pdf',
  'POST /api/view/:slug/checkout',
  'POST /api/view/:slug/gate',
  'POST /api/view/:slug/open',
  'POST /api/view/leases',
  'POST /files',
  'POST /files/:id',
  'PUT /api/profile/avatar',
];

const banner = 'We move to a larger server until noon.';
const id = '01900000-0000-7000-8000-000000000000';
let app: TestApp;
let shared: SharedAlbum;
let link: { id: string; slug: string };
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app);
  link = await shared.makeLink();
  await turn('on');
});
afterAll(() => app.close());

const turn = async (word: 'on' | 'off') => {
  await changeSetting(app.engines, 'site.maintenance', word);
  const isOn = word === 'on' ? 1 : 0;
  while ((await settingsOf(app.engines))['site.maintenance'] !== isOn) await wait(10);
};
const isOpen = ({ name, meta }: Procedure) => {
  const [room = '', own = ''] = name.split('.');
  return meta.scopes !== undefined || (open[room] ?? '').split(' ').includes(own);
};
const isRefused = ({ code }: { code: string | undefined }) => code === 'MAINTENANCE';

describe('during maintenance', () => {
  it.each(listProcedures().map((procedure) => [procedure.name, procedure] as const))(
    '%s is closed, or is on the list of what must work',
    async (_name, procedure) => {
      const named = { ...procedure, path: procedure.path.replaceAll(/\{\w+\}/g, id) };
      const browser = newBrowser();
      const refused = [
        await sendInside(app, rpcCall(procedure, {}), browser),
        await sendInside(app, restCall(named, {}), browser),
      ].map(isRefused);
      expect(refused).toEqual(isOpen(procedure) ? [false, false] : [true, true]);
    },
  );

  it('raw routes are closed that lend keys, take files or give any out', async () => {
    const closed = new Set<string>();
    for (const { method, url } of await collectRoutes(app.engines))
      for (const one of [method].flat().filter((verb) => verb !== 'OPTIONS' && verb !== 'HEAD')) {
        if (url.startsWith('/rpc') || url.startsWith('/api/v1')) continue;
        const path = url.replaceAll(/:\w+/g, id);
        const heard = await sendInside(app, { method: one, path, headers: {} }, newBrowser());
        if (isRefused(heard)) closed.add(`${one} ${url}`);
      }
    expect([...closed].toSorted()).toEqual(closedRoutes);
  });

  it('a refusal is 503 with the banner or the usual sentence, and says when to come back', async () => {
    const ask = () => sendInside(app, { method: 'GET', path: '/api/v1/albums', headers: {} }, newBrowser());
    const usual = await ask();
    expect([usual.status, usual.headers.get('retry-after')]).toEqual([503, '30']);
    expect(usual.text).toContain('PrivateFans is under maintenance. Please try again soon.');
    await changeSetting(app.engines, 'site.banner', banner);
    await expect.poll(async () => (await ask()).text).toContain(banner);
    expect((await app.call('accounts.me')).body.site).toEqual({ banner, isMaintenance: true });
    expect((await app.call('marketing.facts')).body.site).toEqual({ banner, isMaintenance: true });
    await changeSetting(app.engines, 'site.banner', 'default');
  });

  it('a creator revokes links and locks everything, and nobody opens one', async () => {
    const { creator } = shared;
    expect((await app.call('albums.list', {}, creator.browser)).status).toBe(503);
    expect((await app.call('links.revoke', { linkIds: [link.id] }, creator.browser)).status).toBe(200);
    expect((await app.call('links.lockEverything', {}, creator.browser)).status).toBe(200);
    const open = { method: 'POST', path: `/api/view/${link.slug}/open`, headers: {}, body: {} };
    const heard = await sendInside(app, open, newBrowser());
    expect([heard.status, heard.code, heard.headers.get('retry-after')]).toEqual([503, 'MAINTENANCE', '1']);
  });

  it('an administrator signs in, works at the desk and ends it; then everything is as before', async () => {
    const admin = await signUpAfterwards();
    const desk = await signInQuickly(app, admin);
    expect((await app.call('adminOperations.today', {}, desk)).status).toBe(200);
    expect((await app.call('albums.list', {}, desk)).status).toBe(503);
    expect((await app.call('adminSettings.change', { key: 'site.maintenance', value: 0, seen: 1 }, desk)).status).toBe(
      200,
    );
    await expect.poll(async () => (await app.call('albums.list', {}, desk)).status).toBe(200);
    const events = await readRows(
      app,
      `select details from audit_log where action = 'setting.changed' and actor_id = $1`,
      [admin],
    );
    expect(events).toEqual([{ details: { key: 'site.maintenance', before: 1, value: 0 } }]);
  });
});

async function signUpAfterwards(): Promise<string> {
  await turn('off');
  const person = await signUpCreator(app);
  await makeAdministrator(app, person);
  await turn('on');
  return person.userId;
}
