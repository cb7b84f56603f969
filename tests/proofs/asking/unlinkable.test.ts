import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameViewer } from '#features/links/viewer-names.ts';
import { evidencePublicKey } from '#features/tracing/signature.ts';
import { must, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards, printProof } from '../counts.ts';
import { listen, openHeardLog } from '../judging/canary-ears.ts';
import { nobody } from './actors.ts';
import { ask, nameOf } from './driver.ts';
import { said } from './everything.ts';
import { endings, listProcedures } from './procedures.ts';
import { listClosed } from './routes.ts';
import { isRaw, type Target, targetOf } from './target.ts';
import { openWorld, type Side, type World } from './world.ts';

guards('src/**/*contract.ts', 'src/**/*api.ts', 'src/**/*store.ts', 'src/**/*route.ts', 'src/wire/**');

const routes: RouteOptions[] = [];
let app: TestApp;
let world: World;
beforeAll(async () => {
  const { log } = openHeardLog();
  const server = { onRoute: (route: RouteOptions) => void routes.push(route) };
  app = await openTestApp({ workJobs: false, isLive: true, log, server });
  world = await openWorld(app, { hasActors: false, isOneViewer: true });
  // A name of the link would be the viewer's: the creators typed the same one.
  for (const { things, person } of [world.a, world.b])
    await must(app, 'links.update', { linkId: things.link, recipientName: null }, person.browser);
});
afterAll(() => app.close());

/** Everything that a creator is given, by what gave it. */
type Given = Map<string, string>;

const isForCreators = ({ meta }: Target) => meta.who.includes('creator');
const listTargets = (): Target[] => {
  const isEnding = (name: string) => endings.some((one) => one === name);
  const procedures = listProcedures().filter(({ name }) => !isEnding(name));
  const [reading, writing] = [true, false].map((reads) =>
    procedures.filter(({ method }) => (method === 'GET') === reads).map(targetOf),
  ) as [Target[], Target[]];
  return [...reading, ...listClosed(routes), ...writing].filter(isForCreators);
};

/** Asks everything that a creator may ask, about their own things, and hears their news and reads their emails meanwhile. */
async function gather({ whose, person, things }: Side): Promise<Given> {
  const actor = { name: `creator ${whose}`, browser: person.browser, ...nobody, owns: whose, may: 'creator' } as const;
  const given: Given = new Map();
  const { news, close } = await listen(world, [[actor, '/api/live']]);
  // The list of those who are blocked tells of them as well, and the news say it.
  await must(app, 'tracing.blockViewer', { viewerId: things.viewer }, person.browser);
  for (const target of listTargets()) {
    const question = { target, actor, whose, door: target.doors[0], things };
    const { status, text } = await said(ask(world, question));
    if (status !== undefined && status < 300) given.set(isRaw(target) ? target.name : nameOf(question), text);
  }
  await expect.poll(() => news.map(({ text }) => text).join('')).toContain('viewer.blocked');
  given.set('news', news.map(({ text }) => text).join(''));
  close();
  const emails = await readRows(app, 'select subject, body_text, parts from mail_outbox where user_id = $1', [
    person.userId,
  ]);
  given.set('emails', JSON.stringify(emails));
  return given;
}

const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const number = /\bViewer [0-9A-F]{4}\b/g;
/** Tokens and hashes: long, and with a digit in them. */
const token = /\b(?=\w*\d)(?=\w*[a-z])\w{16,}\b/gi;
const wordsIn = (text: string) => [id, number, token].flatMap((form) => text.match(form) ?? []);

/** Ids, names of viewers and tokens that both were given, with what gave them to the first. @param usual is the same for everybody */
function listCommon(a: Given, b: Given, usual = ''): string[] {
  const known = new Set([...b.values()].flatMap(wordsIn));
  for (const word of wordsIn(usual)) known.delete(word);
  const common = [...a].flatMap(([name, text]) =>
    wordsIn(text).flatMap((word) => (known.has(word) ? [`${word} in ${name}`] : [])),
  );
  return [...new Set(common)].toSorted();
}

/** The installation's public keys, the end of a list before its first page, and what every picture in a test looks like from afar. */
const usualOf = (a: Given): string =>
  [
    evidencePublicKey(app.engines.keys),
    a.get('notices.settings as creator A on A by rpc'),
    'ffffffff-ffff-ffff-ffff-ffffffffffff 1QcSHQRnh493V4dIh4eXh1h4kJUI',
  ].join(' ');

/** What has to tell each creator of their viewer; where nobody is told of anybody, nothing is found in common either. */
const telling = [
  ...[
    'insights.viewers',
    'insights.visits',
    'insights.lookingNow',
    'insights.visitsOfLink',
    'insights.timeline',
    'tracing.one',
    'access.blocked',
    'access.grants',
  ],
  ...[
    'GET /api/insights/visits.csv',
    'POST /api/traces/:traceId/evidence.json',
    'POST /api/traces/:traceId/evidence.pdf',
  ],
];
function listSilent(given: Given, { whose, things: { viewer } }: Side): string[] {
  const name = nameViewer(viewer, null);
  return telling.filter((what) => {
    const text = given.get(what.includes(' ') ? what : `${what} as creator ${whose} on ${whose} by rpc`) ?? '';
    return !text.includes(viewer) && !text.includes(name);
  });
}

test('two creators who compare all that they are given find no id, name or token of the viewer whom they have in common', async () => {
  const { a, b } = world;
  expect(a.things.viewerRow).toBe(b.things.viewerRow);
  const [ofA, ofB] = [await gather(a), await gather(b)];
  const common = listCommon(ofA, ofB, usualOf(ofA));
  printProof('unlinkable', ofA.size + ofB.size, { common: common.length });
  expect({ common, silent: [...listSilent(ofA, a), ...listSilent(ofB, b)] }).toEqual({ common: [], silent: [] });
  expect(ofA.size).toBeGreaterThan(100);
});

test('planted: an id, a name and a token that two creators are given are found', () => {
  const { a, b } = world;
  const row = a.things.viewerRow;
  const ofA = new Map([
    ['json', `{"viewerId":"${row}","name":"Viewer 4F2A"}`],
    ['csv', 'x,Viewer 0001,4cdf00aa11bb22cc33dd'],
  ]);
  const ofB = new Map([['news', `${row} ${b.things.viewer} 4cdf00aa11bb22cc33dd "Viewer 4F2A"`]]);
  expect(listCommon(ofA, ofB)).toEqual(
    [`${row} in json`, '4cdf00aa11bb22cc33dd in csv', 'Viewer 4F2A in json'].toSorted(),
  );
});
