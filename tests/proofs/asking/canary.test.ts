import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notifyOpens } from '#features/insights/first-opens/first-opens.ts';
import { newId } from '#kit/ids.ts';
import { readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { mountBuilt } from '../headers/listener.ts';
import { plain, planted, secrets } from '../judging/canary-columns.ts';
import {
  hearStatements,
  listen,
  type News,
  openHeardLog,
  searchEmails,
  searchFiles,
  searchLog,
  searchNews,
  searchRows,
  searchStatements,
} from '../judging/canary-ears.ts';
import { askAgain, askAll, expectHeard, meetBugs, shorten, Tally, thin } from '../judging/canary-judge.ts';
import { addresses, type Planted, plantCanaries } from '../judging/canary-plants.ts';
import { type Canary, newCanary, nobody, Search } from '../judging/canary-search.ts';
import { askEverything } from './everything.ts';
import { listClosed } from './routes.ts';
import { openWorld, type World } from './world.ts';

guards(
  'src/**/*contract.ts',
  'src/**/*api.ts',
  'src/wire/**',
  'src/app/server/server.ts',
  'db/migrations/**',
  'tests/proofs/judging/**',
);

const isBuilt = existsSync('build/viewer/viewer.html');
const pages = [
  ...['/auth', '/albums', '/magic-links', '/analytics', '/profile', '/leaks', '/pricing', '/admin', '/nothing/here'],
];
const routes: RouteOptions[] = [];
const received = openHeardLog();
const statements = hearStatements();
let app: TestApp;
let world: World;
let hidden: Planted;
let search: Search;

beforeAll(async () => {
  app = await openTestApp({
    workJobs: false,
    isLive: true,
    log: received.log,
    server: {
      trustedProxies: '127.0.0.1',
      // The folders of built files say nothing of who may load them: everybody.
      onRoute: (route) => void (/\/assets\/\*$/.test(route.url) || routes.push(route)),
      ...(isBuilt && {
        mountSite: (app) => mountBuilt(app, received.log),
      }),
    },
  });
  world = await openWorld(app);
  hidden = await plantCanaries(world);
  search = new Search(hidden.canaries);
});
afterAll(() => app.close());

/** Lines for news of both creators, of somebody else, and of their viewers. */
const hearNews = () =>
  listen(world, [
    ...['creator A', 'creator B', 'admin'].map((name) => [world.actorOf(name), '/api/live'] as const),
    [world.actorOf('viewer of A'), `/api/live/view?visit=${world.a.things.visit}`],
    [world.actorOf('viewer of B'), `/api/live/view?visit=${world.b.things.visit}`],
  ]);
/** Something that everybody who listens hears of. */
async function makeNews(): Promise<void> {
  for (const { person, things } of [world.a, world.b])
    await app.engines.database.work({ kind: 'system' }, (tx) =>
      tx.publish({ kind: 'link.changed', creatorId: person.userId, linkId: things.link }),
    );
}
const haveHeard = (news: readonly News[]) =>
  expect.poll(() => news.filter(({ text }) => text.includes('link.changed')).map(({ actor }) => actor.name));

test("every column of text is known for what it is: private and searched for, or nobody's", async () => {
  const rows = await readRows(
    app,
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'bytea', 'jsonb', 'ARRAY')
       and c.udt_name in ('text', 'bytea', 'jsonb', '_text') order by 1`,
  );
  const known = [...planted, ...secrets].flatMap(([table, , columns]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  expect(new Set(known).size).toBe(known.length);
  const unknown = rows
    .map(({ name }) => String(name))
    .filter((name) => !known.includes(name) && !plain.some((pattern) => pattern.test(name)));
  expect(unknown).toEqual([]);
  const empty = ['users.avatar_name', 'users.avatar_small', 'codeword_seals.hash', 'codeword_seals.rows_hash'];
  const places = new Set(hidden.canaries.map(({ place }) => place));
  expect(known.filter((name) => !places.has(name) && !empty.includes(name))).toEqual([]);
});

/** Lets out on purpose what nobody may hear, and takes it back: nothing of it is in the figures of what follows. */
test('planted: what is let out in an answer, a table, an evidence, an email, news or the log is found', async () => {
  const wordOf = (place: string, whose: 'A' | 'B') =>
    String(hidden.canaries.find((canary) => canary.place === place && canary.of === whose)?.secret);
  const [note, b] = [wordOf('magic_links.note', 'A'), world.actorOf('creator B')];
  /** Writes a word into a row of B's, where one of her own stood. */
  async function whileSaid<T>(place: string, word: string, id: string, act: () => Promise<T>): Promise<T> {
    const [table, column] = place.split('.');
    const owner = place === 'mail_outbox.body_text' ? 'user_id' : 'id';
    const write = (said: string) => readRows(app, `update ${table} set ${column} = $1 where ${owner} = $2`, [said, id]);
    await write(word);
    return act().finally(() => write(wordOf(place, 'B')));
  }
  const text = `select id from magic_links where note = '${note}'`;
  const heardHere = hearStatements();
  await readRows(app, text);
  heardHere.stop();
  statements.texts.delete(text);
  expect(searchStatements(heardHere, search)).toEqual(['magic_links.note of A in a statement']);
  // What A noted for herself is now the name of a link of B, who is told of it in her own lists and files.
  const asked = { routes: listClosed(routes), pages: [], isLargest: false };
  const own = [...askEverything({ ...world, actors: [b] }, hidden, asked)].filter(({ name }) =>
    /^(links\.list as|GET \S*csv as|POST \S*evidence\.\w+ as creator B on B$)/.test(name),
  );
  const { link } = world.b.things;
  const found = await whileSaid('magic_links.link_name', note, link, () => askAll(own, search));
  expect([...new Set(found.map((leak) => leak.replace(/ on \S+( by .*)?$/, '')))].toSorted()).toEqual([
    'magic_links.note of A in GET /api/insights/visits.csv as creator B',
    'magic_links.note of A in POST /api/traces/:traceId/evidence.json as creator B',
    'magic_links.note of A in POST /api/traces/:traceId/evidence.pdf as creator B',
    'magic_links.note of A in links.list as creator B',
  ]);

  const { userId } = world.b.person;
  const said = `Hello ${wordOf('users.email', 'A')}`;
  const inEmails = await whileSaid('mail_outbox.body_text', said, userId, () => searchEmails(world, search));
  expect(inEmails.found).toEqual(['users.email of A in an email to B']);

  const { news, close } = await listen(world, [[b, '/api/live']]);
  await app.engines.database.work({ kind: 'system' }, (tx) =>
    tx.publish({ kind: `link.${world.a.things.slug}`, creatorId: userId }),
  );
  await expect.poll(() => searchNews(news, search)).toEqual(['magic_links.slug of A in the news of creator B']);
  close();

  const lines = received.lines.length;
  received.log.info({ what: `/view/${world.a.things.slug}` });
  received.log.error({ err: new Error('nobody@example.org is not there') }, 'a bug');
  received.log.info({ from: '192.0.2.7' });
  expect(searchLog(received.lines.splice(lines), search)).toEqual([
    'magic_links.slug of A in the log',
    'an e-mail in the log',
    'an address in the log',
  ]);

  const inRows = () => searchRows(app, Object.values(addresses));
  expect(await whileSaid('users.image', addresses.A, userId, inRows)).toEqual([`${addresses.A} in a row of users`]);
});

test('planted: the answer to a request for access tells whoever asked the address of their own link, and no other', async () => {
  const wordOf = (wanted: string) =>
    search.canaries.filter(({ place, of }) => place === wanted && of === 'A').map(({ secret }) => String(secret));
  const [[asker], slugs] = [wordOf('album_access_requests.requester_email'), wordOf('magic_links.slug')];
  const { slug } = world.a.things;
  const found = async (template: string, recipient: string, said: string) => {
    const email = [newId(Date.now()), template, recipient, `It opens here: /view/${said}`, new Date()];
    await readRows(
      app,
      `insert into mail_outbox (id, template, recipient, subject, body_text, created_at) values ($1, $2, $3, '', $4, $5)`,
      email,
    );
    const { found } = await searchEmails(world, search);
    await readRows(app, 'delete from mail_outbox where id = $1', email.slice(0, 1));
    return found;
  };
  const leak = ['magic_links.slug of A in an email to somebody else'];
  expect(await found('access_answered', String(asker), slug)).toEqual([]);
  const another = String(slugs.find((other) => other !== slug));
  expect(await found('access_answered', String(asker), another)).toEqual(leak);
  expect(await found('access_answered', 'somebody@example.org', slug)).toEqual(leak);
  expect(await found('receipt', String(asker), slug)).toEqual(leak);
});

test('nothing private is in anything that anybody else receives, nor in the log', {
  timeout: 7_200_000,
}, async () => {
  const { news, close } = await hearNews();
  await makeNews();
  await haveHeard(news).toEqual(['creator A', 'creator B', 'viewer of A', 'viewer of B']);
  const asked = { routes: listClosed(routes), pages, isLargest: countOf(0, 0, 1) === 1 };
  const all = [...askEverything(world, hidden, asked)];
  const asks = isFull ? thin(all, 200_000) : shorten(all);
  const questions = new Set(asks.map(({ name }) => name)).size;
  expect(questions).toBe(asks.length);
  expect(questions).toBeGreaterThanOrEqual(countOf(400, 20_000, 200_000));
  const tally = new Tally();
  const found = [...(await meetBugs(world, search)), ...(await askAll(asks, search, tally))];
  await notifyOpens(app.engines);
  found.push(...(await askAgain(app, search, tally)));
  const { emails, found: inEmails } = await searchEmails(world, search);
  const inNews = searchNews(news, search);
  close();
  statements.stop();
  found.push(...inEmails, ...inNews, ...searchLog(received.lines, search), ...searchStatements(statements, search));
  found.push(...(await searchRows(app, Object.values(addresses))));
  const silent = tally.listSilent();
  printProof('canary', asks.length, {
    found: found.length,
    questions,
    unanswered: silent.length,
    'answered by 2xx in %': tally.share('fine'),
    'put off in %': tally.share('put off'),
    'told to their own': tally.countTold(),
    canaries: search.canaries.length,
    emails,
    logLines: received.lines.length,
    statements: statements.texts.size,
  });
  expect(found).toEqual([]);
  expectHeard(tally, world.actors);
  expect(silent.length, silent.slice(0, 5).join('; ')).toBeLessThanOrEqual(asks.length / 100);
  expect(search.canaries.length).toBeGreaterThan(100);
  expect(emails).toBeGreaterThan(10);
  expect(statements.texts.size).toBeGreaterThan(100);
  expect(received.lines.length).toBeGreaterThan(questions);
  expect(received.lines.filter((line) => line.includes('"level":50')).map((line) => JSON.parse(line).msg)).toEqual([
    'a bug',
    'a bug',
    'a bug',
  ]);
});

test.skipIf(!isBuilt)('the built pages hold nothing of anybody and do not tell their source', () => {
  for (const folder of ['build/client', 'build/viewer', 'build/preview']) {
    const { files, found } = searchFiles(folder, search);
    expect(files).toBeGreaterThan(3);
    expect(found).toEqual([]);
  }
});

test('the search finds a canary in every form, and takes no other word for it', () => {
  const [secret, key] = [newCanary(), Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex')];
  const of = (one: string | Buffer): Canary => ({ place: 'planted', of: 'A', for: 'hers', secret: one });
  const both = new Search([of(secret), of(key)]);
  const said = [
    `x${secret}y`,
    Buffer.from(`{"a":"${secret}"}`).toString('base64'),
    Buffer.from(`{"ab":"${secret}"}`).toString('base64url'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
    ...[
      ['%', ''],
      ['\\u00', ''],
      ['&#x', ';'],
    ].map(([sign, end]) =>
      Buffer.from(secret)
        .toString('hex')
        .replace(/../g, (two) => `${sign}${two}${end}`),
    ),
    [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
    key.toString('hex'),
    `..${key.toString('base64')}..`,
    JSON.stringify(key),
    key.toString('latin1'),
  ];
  for (const text of said) expect([text, both.leaksIn(text, nobody)]).toEqual([text, ['planted of A']]);
  expect(both.leaksIn(`${newCanary()} ${secret.slice(0, -1)}`, nobody)).toEqual([]);
  expect(both.leaksIn(secret, { owns: 'A', visits: undefined })).toEqual([]);
  expect(both.leaksIn(secret, { owns: 'B', visits: 'A' })).toEqual(['planted of A']);
  expect(both.leaksIn(secret, nobody, { question: secret })).toEqual([]);
});

test('planted: a built file that holds a key or tells its source is found', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-built-'));
  try {
    const key = app.engines.keys.current.key.toString('base64');
    writeFileSync(path.join(folder, 'page.js'), `const key = "${key}";\n`);
    writeFileSync(path.join(folder, 'other.js'), 'let a;\n//# sourceMappingURL=other.js.map\n');
    writeFileSync(path.join(folder, 'other.js.map'), '{}');
    expect(searchFiles(folder, search).found.toSorted()).toEqual([
      'master key of A in page.js',
      'the source of other.js',
      'the source of other.js.map',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
