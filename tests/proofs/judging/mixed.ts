import { hashTables } from '#tests/support/database/tables.ts';
import { must } from '#tests/support/people.ts';
import { type Browser, copyOf, headersOf } from '#tests/support/test-app.ts';
import { widestBodyOf } from '../asking/bodies.ts';
import { type Call, type Heard, restCall, rpcCall, sendInside, sendOver } from '../asking/driver.ts';
import { type Chosen, listChoices, type Maker, mix } from '../asking/mixtures.ts';
import { needsMore } from '../asking/needs-more.ts';
import { listProcedures, type Procedure } from '../asking/procedures.ts';
import { shapeOf } from '../asking/routes.ts';
import type { Things } from '../asking/things.ts';
import type { World } from '../asking/world.ts';
import type { MixedAsker } from './mixed-askers.ts';

/** A procedure or a raw route that takes ids of several things. */
export interface Mixed {
  name: string;
  /** Asked by viewers; otherwise by creators. */
  isViewers: boolean;
  /** Every way to mix; with all of its things the other's, it is asked elsewhere. */
  choices: Chosen[];
  /** Nothing mixed may ever succeed. */
  isRefused: boolean;
  doors: number;
  make: Maker;
  /** @param door which of them */
  ask(body: object, browser: Browser, door: number): Promise<Heard>;
}

const isForeign = (chosen: Chosen) => [...chosen.values()].every((choice) => choice === 'foreign');

function mixedProcedure({ app }: World, procedure: Procedure): Mixed {
  const { name, meta } = procedure;
  const make = (things: Things) => widestBodyOf(name, things);
  const calls = [rpcCall, restCall];
  return {
    name,
    make,
    isRefused: false,
    doors: calls.length,
    isViewers: meta.who.includes('viewer'),
    choices: listChoices(make).filter((chosen) => meta.subject === 'none' || !isForeign(chosen)),
    ask: (body, browser, door) =>
      sendInside(app, (calls[door % calls.length] ?? rpcCall)(procedure, body), copyOf(browser)),
  };
}

/** Raw routes that name several things, and of viewers. */
const routes: Readonly<Record<string, { isViewers?: true; more?: (call: Call, things: Things) => Partial<Call> }>> = {
  'POST /api/view/leases': {
    isViewers: true,
    more: (_, { visit, medium }) => ({
      body: { visitId: visit, items: [{ mediaId: medium, rendition: 'p2048', with: 'keys' }] },
    }),
  },
  'GET /api/view/videos/:visitId/:mediaId/:playlist': { isViewers: true },
  'GET /m/c/:packId/:tag': { isViewers: true },
  'GET /m/s/:packId/:part': { isViewers: true },
  'POST /api/media/leases': {
    more: (_, { medium }) => ({ body: { items: [{ mediaId: medium, rendition: 'thumb512', with: 'keys' }] } }),
  },
  'POST /files': {},
  'POST /api/traces': { more: ({ path }, { trace }) => ({ path: `${path}&with=${trace}` }) },
};

/** A raw route, asked over a real port because some of them stream. */
function mixedRoute({ app, viewerApi }: World, name: string): Mixed {
  const { isViewers = false, more } = routes[name] ?? {};
  const [method = 'GET'] = name.split(' ');
  const make = (things: Things): Call => {
    const call = { method, headers: {}, ...shapeOf(name, things) };
    return { ...call, ...more?.(call, things) };
  };
  const choices = listChoices(make);
  return {
    name,
    make,
    isViewers,
    doors: 1,
    // The other's token alone is what whoever holds it may use.
    choices: choices.filter((chosen) => !name.includes(' /m/') || !isForeign(chosen)),
    isRefused: choices.every((chosen) => ![...chosen.values()].includes('both')),
    ask(call, browser) {
      const said = { origin: app.engines.installation.publicUrl, ...headersOf(browser) } as Record<string, string>;
      return sendOver(viewerApi.url, call as Call, said);
    },
  };
}

/** Every procedure and raw route that takes ids of two things, or of things beside the one that is swapped elsewhere. */
export const listMixed = (world: World): Mixed[] =>
  [
    ...listProcedures().map((procedure) => mixedProcedure(world, procedure)),
    ...Object.keys(routes).map((name) => mixedRoute(world, name)),
  ].filter(({ choices }) => choices.length > 0);

/** What must have been done to things before a call about them can come through. */
const before: Record<string, (things: Things) => [procedure: string, input: object]> = {
  'links.undoRevoke': ({ link }) => ['links.revoke', { linkIds: [link] }],
  'albums.restoreItems': ({ album, medium }) => ['albums.deleteItems', { albumId: album, mediaIds: [medium] }],
};
/** Says which of the ids sent it did not take: those alone may be named. */
const echoes = new Set(['albums.restoreItems']);

export interface MixedVerdicts {
  requests: number;
  /** The other's rows changed, or an answer held something of the other's. */
  leaks: string[];
  bugs: string[];
  /** Not even one's own things came through: what was refused with mixed ones may have been refused for that. */
  untested: string[];
}

/**
 * Asks with some of the ids one's own and the others somebody else's, in every way: no row of the other's may change, and
 * no answer may hold an id, a name or a key of the other's.
 */
export async function proveMixed(
  world: World,
  questions: readonly Mixed[],
  askers: readonly MixedAsker[],
  { isFull }: { isFull: boolean },
): Promise<MixedVerdicts> {
  const found: MixedVerdicts = { requests: 0, leaks: [], bugs: [], untested: [] };
  for (const asker of askers)
    for (const question of questions.filter(({ isViewers }) => isViewers === asker.isViewers))
      await askMixed({ world, found, asker, question, isFull });
  return found;
}

interface Asked {
  world: World;
  found: MixedVerdicts;
  asker: MixedAsker;
  question: Mixed;
  isFull: boolean;
}

/** Asks one question in every mixture, and at the end with nothing but one's own things, which must come through. */
async function askMixed({ world, found, asker, question, isFull }: Asked): Promise<void> {
  const { app } = world;
  const { make, choices, doors, name } = question;
  const prepare = before[name];
  const renew = async (whose: 'own' | 'foreign') => {
    const things = await asker[whose](question.make, prepare !== undefined);
    if (prepare !== undefined)
      await must(app, ...prepare(things), whose === 'own' ? asker.browser : asker.foreignBrowser);
    return things;
  };
  const foreign = await renew('foreign');
  const ids = await asker.idsOf(foreign);
  const rows = { ids, hashes: await hashTables(app, { naming: ids }) };
  let own = await renew('own');
  for (const [n, chosen] of choices.entries())
    for (const door of isFull ? Array.from({ length: doors }, (_, one) => one) : [n]) {
      const said = [...chosen].map((pair) => pair.join(' ')).join(', ');
      const body = mix(make, own, foreign, chosen);
      const isFine = await judgeOne(
        { world, found, asker, question, isFull },
        { name: `${name} as ${asker.name}, ${said}`, body, door, rows },
      );
      if (isFine) own = await renew('own');
    }
  const { status, code } = await question.ask(make(own), asker.browser, 0);
  if (!isGiven(status) && !needsMore[name]?.some((one) => one === code))
    found.untested.push(`${name} as ${asker.name}: ${status}`);
}
const isGiven = (status: number) => status >= 200 && status < 300;

interface One {
  name: string;
  body: object;
  door: number;
  /** The rows that name one of these ids, as they were when they were last looked at. */
  rows: { ids: readonly string[]; hashes: Record<string, string> };
}

/** @returns whether something was given or done, so that the own things are spent */
async function judgeOne({ world, found, asker, question }: Asked, { name, body, door, rows }: One): Promise<boolean> {
  const { status, text } = await question.ask(body, asker.browser, door);
  found.requests++;
  const hashes = await hashTables(world.app, { naming: rows.ids });
  for (const [table, hash] of Object.entries(hashes))
    if (hash !== rows.hashes[table]) found.leaks.push(`${name}: a row of ${table}`);
  rows.hashes = hashes;
  if (status >= 500) found.bugs.push(`${name}: ${status}`);
  if (asker.canary !== undefined && text.includes(asker.canary)) found.leaks.push(`${name}: a canary`);
  if (!isGiven(status)) return false;
  if (question.isRefused) found.leaks.push(`${name}: ${status}`);
  const sent = echoes.has(question.name) ? JSON.stringify(body) : '';
  if (rows.ids.some((id) => text.includes(id) && !sent.includes(id))) found.leaks.push(`${name}: ${status} with an id`);
  return true;
}
