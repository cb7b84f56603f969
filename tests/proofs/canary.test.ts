import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMediaKey } from '#features/media/keys-store.ts';
import { type Browser, type HouseInTest, newBrowser, openHouse } from '#tests/support/house.ts';
import { signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { countOf, tellProof } from './counts.ts';

let house: HouseInTest;
let shared: SharedAlbum;
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  shared = await shareAlbum(house, { count: 3 });
}, 120_000);
afterAll(() => house.close());

/** A word that stands in one private column and nowhere else. */
const newCanary = () => `cnry${randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')}`;

/** The forms in which a secret may hide in an answer. */
const formsOf = (secret: string | Buffer): string[] => {
  const bytes = Buffer.from(secret);
  const plain = typeof secret === 'string' ? [secret, encodeURIComponent(secret)] : [];
  // Base64 of a part of the text depends on where it begins: without the first and last letters it does not.
  const inner = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  return [...plain, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url'), ...inner].filter(
    (form) => form.length >= 8,
  );
};

/** Puts a canary into every private column that a creator, her links and her viewers have. */
async function plantCanaries(linkId: string): Promise<Map<string, string[]>> {
  const { creator, photos } = shared;
  const planted = new Map<string, string | Buffer>();
  const put = (column: string) => {
    const canary = newCanary();
    planted.set(column, canary);
    return canary;
  };
  const asCreator = (procedure: string, input: object) => house.call(procedure, input, creator.browser);
  await asCreator('links.update', { linkId, note: put('note of the link') });
  const other = await shared.makeLink(
    {},
    {
      recipientName: put('recipient of another link'),
      note: put('note of another link'),
      password: put('password of another link'),
    },
  );
  await house.engines.database.work({ kind: 'system' }, async (tx) => {
    const { db } = tx;
    await db
      .updateTable('users')
      .set({ email: `${put('e-mail').toLowerCase()}@example.com` })
      .where('id', '=', creator.userId)
      .execute();
    for (const { mediaId } of photos)
      await db
        .updateTable('media')
        .set({ original_name: put('original name') })
        .where('id', '=', mediaId)
        .execute();
    const accounts = await db
      .selectFrom('auth_accounts')
      .select('password')
      .where('user_id', '=', creator.userId)
      .execute();
    for (const { password } of accounts) planted.set('password hash', (password ?? '').slice(-30));
    const sessions = await db
      .selectFrom('auth_sessions')
      .select('token')
      .where('user_id', '=', creator.userId)
      .execute();
    for (const { token } of sessions) planted.set('session token', token);
    for (const { mediaId } of photos)
      planted.set(`media key ${mediaId}`, (await findMediaKey(tx, house.engines.keys, mediaId)) ?? '');
    const keys = await db
      .selectFrom('creator_keys')
      .select('wrapped')
      .where('creator_id', '=', creator.userId)
      .execute();
    for (const { wrapped } of keys) planted.set('wrapped trace key', wrapped);
    planted.set('slug of another link', other.slug);
    planted.set('master key', house.engines.keys.current.key);
  });
  planted.set('e-mail', String(planted.get('e-mail')).toLowerCase());
  return new Map([...planted].map(([column, secret]) => [column, formsOf(secret)]));
}

/** Asks as a viewer, another creator and a stranger, and looks for every canary in every answer. */
async function searchAnswers(
  link: { id: string; slug: string },
  canaries: ReadonlyMap<string, readonly string[]>,
  rounds: number,
): Promise<{ answers: number; found: string[] }> {
  const berta = await signUpCreator(house);
  let answers = 0;
  const found: string[] = [];
  const search = (what: string, text: string) => {
    answers++;
    for (const [column, forms] of canaries)
      if (forms.some((form) => text.includes(form))) found.push(`${column} in ${what}`);
  };
  const fetchAll = async (browser: Browser, paths: readonly string[]) => {
    for (const path of paths) {
      const answer = await shared.salon.fetch(path, undefined, browser);
      search(path, `${await answer.text()}${JSON.stringify([...answer.headers])}`);
    }
  };
  for (let round = 0; round < rounds; round++) {
    const viewer = newBrowser();
    const opened = await shared.salon.tap(link.slug, {}, viewer);
    search('open', `${JSON.stringify(opened.head)}${JSON.stringify([...opened.headers])}`);
    for (const { pack } of opened.pictures) search('a composed pack', pack.toString('latin1'));
    const leased = await shared.salon.lease(
      opened.head.visitId,
      shared.photos.map(({ mediaId }) => ({ mediaId, rendition: 'p2048' })),
      viewer,
    );
    search('leases', JSON.stringify(leased.head));
    for (const { keys } of leased.pictures) search('lent keys', `${keys.toString('hex')} ${keys.toString('base64')}`);
    const renewed = await house.call('viewing.renew', { visitId: opened.head.visitId, samples: [], idleMs: 0 }, viewer);
    search('renew', JSON.stringify(renewed));
    for (const [who, browser] of [
      ['a viewer', viewer],
      ['another creator', berta.browser],
      ['a stranger', newBrowser()],
    ] as const) {
      for (const [procedure, input] of [
        ['links.one', { linkId: link.id }],
        ['albums.one', { albumId: shared.albumId }],
        ['links.list', {}],
        ['albums.list', {}],
        ['insights.overview', {}],
        ['insights.visits', {}],
        ['insights.viewers', {}],
        ['accounts.me', {}],
        ['links.update', { linkId: link.id, linkName: 7 }],
      ] as const)
        search(`${procedure} for ${who}`, JSON.stringify(await house.call(procedure, input, browser)));
      await fetchAll(
        browser,
        [
          `/api/media/${shared.photos[0]?.mediaId}/original`,
          '/api/health',
          '/healthz',
          '/api/openapi.json',
          '/robots.txt',
          `/view/${link.slug}`,
          '/api/live',
        ].filter((path) => path !== '/api/live' || who === 'a stranger'),
      );
    }
  }
  return { answers, found };
}

test('R2: nothing private is in anything that a viewer, a stranger or another creator receives', async () => {
  const link = await shared.makeLink();
  const canaries = await plantCanaries(link.id);
  const { answers, found } = await searchAnswers(link, canaries, countOf(3, 380, 3800));
  tellProof('canary', answers, { found: found.length, canaries: canaries.size });
  expect(canaries.size).toBeGreaterThan(12);
  expect(answers).toBeGreaterThanOrEqual(countOf(100, 20_000));
  expect(found).toEqual([]);
});

test('R2: a leak that is planted in an answer is found, whoever received it and by which door', async () => {
  const [inStream, inList] = [newCanary(), newCanary()];
  const link = await shared.makeLink({}, { linkName: inStream });
  const asCreator = (procedure: string, input: object) => house.call(procedure, input, shared.creator.browser);
  expect((await asCreator('albums.update', { albumId: shared.albumId, name: inList })).status).toBe(200);
  const canaries = new Map([
    ['shown name of the link', formsOf(inStream)],
    ['shown name of the album', formsOf(inList)],
    ['title of the API', formsOf('"title":"PrivateFans"')],
    ['nothing that is said', formsOf(newCanary())],
  ]);
  const { found } = await searchAnswers(link, canaries, 1);
  expect([...new Set(found)].toSorted()).toEqual([
    'shown name of the album in open',
    'shown name of the link in open',
    'title of the API in /api/openapi.json',
  ]);
});

test('R2: the search itself finds a canary in every form', () => {
  const canary = newCanary();
  const said = [
    `x${canary}y`,
    Buffer.from(`{"a":"${canary}"}`).toString('base64'),
    Buffer.from(canary).toString('hex'),
    encodeURIComponent(canary),
  ];
  for (const text of said)
    expect(
      formsOf(canary).some((form) => text.includes(form)),
      text,
    ).toBe(true);
});
