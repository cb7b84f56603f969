import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseAway } from '#engines/database/away.ts';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { readLease, signLease } from '#features/media/lease-token.ts';
import { blockViewer } from '#tests/support/database/viewer-rows.ts';
import { signUpCreator } from '#tests/support/people.ts';
import { countViewerRows, type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openTile, type Streamed } from '#tests/support/viewer-api.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app);
});
afterAll(() => app.close());

const sha = (answer: Streamed) => ({ status: answer.status, text: answer.text, headers: headersOf(answer) });
/** What an answer says apart from when it was given and to whom. */
const headersOf = ({ headers }: Streamed) =>
  Object.fromEntries(
    [...headers].map(([name, value]) => [name, name === 'date' ? '' : value.replace(/=[\w-]{43};/, '=…;')]),
  );

/** One link of each kind that a stranger must not tell apart. */
async function deadLinks(): Promise<Record<string, { slug: string }>> {
  const { creator, makeLink } = shared;
  const revoked = await makeLink({}, { password: 'blue orchard' });
  await app.call('links.revoke', { linkIds: [revoked.id] }, creator.browser);
  const expired = await makeLink({ ageGate: true }, { expiry: { kind: 'after', hours: 1 } });
  const full = await makeLink({ bindFirstViewer: true });
  await shared.viewerApi.tap(full.slug);
  return { unknown: { slug: 'golden-hour-0123456789abcdefghij' }, odd: { slug: '%00%2e%2e' }, revoked, expired, full };
}

describe('a stranger', () => {
  it('gets the same bytes and headers for unknown, revoked, expired, full and blocked links', async () => {
    const links = await deadLinks();
    const blocked = newBrowser();
    const other = await shared.makeLink();
    const { head } = await shared.viewerApi.tap(other.slug, {}, blocked);
    await blockViewer(app, head.visitId);
    app.setNow('2026-11-21T13:00:00Z');
    for (const body of [{}, { password: 'blue orchard', isAdult: true }, { resumeCode: '0123456789' }]) {
      const known = newBrowser();
      await shared.viewerApi.tap((await shared.makeLink({ ageGate: true })).slug, { isAdult: true }, known);
      const answers = await Promise.all(
        Object.values(links).map(async ({ slug }) =>
          sha(await shared.viewerApi.tap(slug, body, { cookies: new Map(known.cookies) })),
        ),
      );
      const live = await shared.makeLink();
      answers.push(sha(await shared.viewerApi.tap(live.slug, body, { cookies: new Map(blocked.cookies) })));
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]?.status).toBe(410);
      expect(answers[0]?.headers['set-cookie']).toBeUndefined();
    }
    const fresh = await Promise.all(
      Object.values(links).map(async ({ slug }) => sha(await shared.viewerApi.tap(slug))),
    );
    for (const answer of fresh) expect(answer).toEqual(fresh[0]);
    app.setNow('2026-11-21T12:00:00Z');
  });

  it('gets them after the same time', async () => {
    const links = Object.values(await deadLinks());
    app.setNow('2026-11-21T13:00:00Z');
    const times = links.map((): number[] => []);
    for (let round = 0; round < 40; round++)
      for (const n of links.keys()) {
        const k = (n + round) % links.length;
        const began = performance.now();
        await shared.viewerApi.tap(links[k]?.slug ?? '');
        times[k]?.push(performance.now() - began);
      }
    app.setNow('2026-11-21T12:00:00Z');
    // The quickest tenth: what a busy machine adds is not what is compared.
    const quick = times.map((list) => list.sort((one, other) => one - other)[4] ?? 0);
    const [quickest, slowest] = [Math.min(...quick), Math.max(...quick)];
    expect(quickest).toBeGreaterThanOrEqual(29);
    expect((slowest - quickest) / quickest, quick.join(' ')).toBeLessThan(0.1);
  });

  it('leaves no row on any of them', async () => {
    const links = Object.values(await deadLinks());
    app.setNow('2026-11-21T13:00:00Z');
    const before = await countViewerRows(app);
    for (const { slug } of links) await shared.viewerApi.tap(slug, { isAdult: true });
    expect(await countViewerRows(app)).toEqual(before);
    app.setNow('2026-11-21T12:00:00Z');
  });

  it('is nobody with a forged or foreign cookie', async () => {
    const { slug } = await shared.makeLink({ bindFirstViewer: true });
    await shared.viewerApi.tap(slug);
    for (const secret of ['A'.repeat(43), 'x', '', '../../etc', 'Ä'.repeat(43), 'A'.repeat(5000)]) {
      const browser = newBrowser({ cookie: `pf_viewer=${encodeURIComponent(secret)}` });
      expect((await shared.viewerApi.tap(slug, {}, browser)).refusal?.reason).toBe('NOT_FOUND');
    }
  });

  it("cannot tap from another site's page", async () => {
    const { slug } = await shared.makeLink();
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3001'])
      expect((await shared.viewerApi.tap(slug, {}, newBrowser({ origin }))).status).toBe(403);
  });

  it('is told what is wrong with a malformed call, and nothing happens', async () => {
    const { slug } = await shared.makeLink();
    for (const body of [{ firstScreen: 1000 }, { password: 7 }, [], 'x']) {
      const { status, text } = await shared.viewerApi.tap(slug, body as object);
      expect([status, JSON.parse(text).code]).toEqual([422, 'VALIDATION']);
    }
  });
});

describe('composed packs', () => {
  const look = async (link?: { slug: string }) => {
    const { slug } = link ?? (await shared.makeLink());
    const browser = newBrowser();
    const answer = await shared.viewerApi.tap(slug, {}, browser);
    const [lease] = answer.head.leases;
    return {
      browser,
      answer,
      lease,
      pack: answer.pictures[0]?.pack ?? Buffer.alloc(0),
      keys: answer.pictures[0]?.keys ?? Buffer.alloc(0),
    };
  };
  const get = (path: string, token: string | undefined) =>
    shared.viewerApi.fetch(path, { headers: token === undefined ? {} : { 'pf-lease': token } }, newBrowser());

  it("are served again by the lease's token, with headers for ever", async () => {
    const { lease, pack } = await look();
    const answer = await get(lease.url, lease.token);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(pack.length),
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    });
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(pack);
  });

  it('do not exist with a forged, foreign, changed or late token, or under another tag', async () => {
    const [one, other] = [await look(), await look()];
    const { token, url, leaseId, packId } = one.lease;
    const changed = `${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`;
    const grantId = '01900000-0000-7000-8000-000000000000';
    const foreign = signLease(app.engines.keys, { leaseId, packId, grantId }, new Date(Date.now() + 30_000));
    const claim = readLease(app.engines.keys, token, Date.now());
    if (claim === undefined) throw new Error('a token that is not ours');
    const unsigned = signLease(
      keyRingOf([{ id: 'own', key: Buffer.alloc(32, 7) }]),
      claim,
      new Date(Date.now() + 30_000),
    );
    for (const forged of [undefined, '', 'x', changed, unsigned, 'A'.repeat(94), other.lease.token, foreign])
      expect([forged, (await get(url, forged)).status]).toEqual([forged, 404]);
    expect((await get(other.lease.url, token)).status).toBe(404);
    const [, packPath] = /^(.*\/)[^/]+$/.exec(url) ?? [];
    expect((await get(`${packPath}AAAAAAAAAAAAAAAA`, token)).status).toBe(404);
    expect((await get(url.toUpperCase(), token)).status).toBe(404);
    app.setNow('2026-11-21T12:00:29Z');
    expect((await get(url, token)).status).toBe(200);
    app.setNow('2026-11-21T12:00:30Z');
    expect((await get(url, token)).status).toBe(404);
    app.setNow('2026-11-21T12:00:00Z');
  });

  it("end with what was decided: at the link's very end a token is over, however young", async () => {
    const link = await shared.makeLink({}, { expiry: { kind: 'at', at: new Date('2026-11-21T12:00:10Z') } });
    const { browser, answer, lease } = await look(link);
    const { visitId } = answer.head;
    app.setNow('2026-11-21T12:00:05Z');
    const items = [{ mediaId: shared.photos[0]?.mediaId, rendition: 'p2048' }];
    const leased = (await shared.viewerApi.lease(visitId, items, browser)).head.leases[0];
    const beat = { visitId, samples: [], idleMs: 0, tokensFor: [lease.leaseId] };
    const renewed = (await app.call('viewing.renew', beat, browser)).body.tokens[lease.leaseId];
    expect([lease.expiresInMs, leased.expiresInMs]).toEqual([10_000, 5000]);
    const tokens = [
      [lease.url, lease.token],
      [leased.url, leased.token],
      [lease.url, renewed],
    ] as const;
    const statuses = () => Promise.all(tokens.map(async ([url, token]) => (await get(url, token)).status));
    app.setNow('2026-11-21T12:00:09.999Z');
    expect(await statuses()).toEqual([200, 200, 200]);
    app.setNow('2026-11-21T12:00:10Z');
    expect(await statuses()).toEqual([404, 404, 404]);
    app.setNow('2026-11-21T12:00:00Z');
  });

  it('need no database once they were seen', async () => {
    const { lease } = await look();
    await get(lease.url, lease.token);
    const before = app.engines.database.statementCount();
    for (let n = 0; n < 5; n++) expect((await get(lease.url, lease.token)).status).toBe(200);
    expect(app.engines.database.statementCount()).toBe(before);
  });

  it("are noise under another grant's keys wherever the codewords differ", async () => {
    const link = await shared.makeLink();
    const [one, other] = [await look(link), await look(link)];
    let opened = 0;
    let closed = 0;
    for (let tile = 0; tile < 48; tile++)
      try {
        openTile(one.pack, other.keys, tile);
        opened++;
      } catch {
        closed++;
      }
    expect([opened + closed, closed > 3, opened >= 24]).toEqual([48, true, true]);
  });

  it("are nothing to a creator of somebody else's", async () => {
    const stranger = await signUpCreator(app);
    const mediaId = shared.photos[0]?.mediaId;
    const body = JSON.stringify({ items: [{ mediaId, rendition: 'p2048' }] });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    expect((await shared.viewerApi.fetch('/api/media/leases', init, stranger.browser)).status).toBe(404);
  });
});

describe('a call that fails', () => {
  it('takes an id in capitals for the same id', async () => {
    const { slug } = await shared.makeLink();
    const browser = newBrowser();
    const { head } = await shared.viewerApi.tap(slug, {}, browser);
    const mediaId = head.items[0].mediaId.toUpperCase();
    const wanted = [{ mediaId, rendition: 'thumb512' }];
    const { status, pictures } = await shared.viewerApi.lease(head.visitId.toUpperCase(), wanted, browser);
    expect([status, pictures.length]).toEqual([200, 1]);
    expect((await shared.viewerApi.preview(wanted, shared.creator.browser)).pictures).toHaveLength(1);
  });

  it('names what is malformed, and shows of a bug nothing but its number', async () => {
    const { slug } = await shared.makeLink();
    const send = (body: string, type = 'application/json') =>
      shared.viewerApi.fetch(
        `/api/view/${slug}/open`,
        { method: 'POST', headers: { 'content-type': type }, body },
        newBrowser(),
      );
    expect((await send('{')).status).toBe(422);
    expect((await send('<a/>', 'text/xml')).status).toBe(415);
    const logged = vi.spyOn(app.engines.log, 'error').mockImplementation(() => undefined);
    const asked = vi.spyOn(app.engines.database, 'query').mockRejectedValueOnce(new Error('secret words'));
    const broken = await send('{}');
    expect([broken.status, await broken.json()]).toEqual([
      500,
      { code: 'INTERNAL', message: 'Something went wrong', data: { requestId: expect.stringMatching(/^[\w-]{36}$/) } },
    ]);
    expect(logged).toHaveBeenCalledOnce();
    asked.mockRestore();
  });

  it('is refused, never guessed, while the database is away', async () => {
    const { slug } = await shared.makeLink();
    const asked = vi.spyOn(app.engines.database, 'query').mockRejectedValue(new DatabaseAway(new Error('gone')));
    const { status, text } = await shared.viewerApi.tap(slug);
    asked.mockRestore();
    expect([status, JSON.parse(text).code]).toEqual([503, 'UNAVAILABLE']);
  });
});
