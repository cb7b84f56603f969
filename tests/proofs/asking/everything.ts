import { isRaw, type Target, targetOf } from '#tests/proofs/asking/target.ts';
import { headersOf, newBrowser } from '#tests/support/test-app.ts';
import { readPdf } from '#tests/support/tracing/read-pdf.ts';
import { type Actor, nobody } from './actors.ts';
import { ask, type Call, callOf, type Heard, nameOf, type Question, sendOver } from './driver.ts';
import type { Letter } from './owners.ts';
import { endings, listProcedures } from './procedures.ts';
import { spellingNames } from './spellings.ts';
import { mixed, nobodys, somebodys, thingsOf } from './whose.ts';
import type { World } from './world.ts';

/** What came back: all that it says, and its status; none where the line was closed without a word. */
export interface Said {
  status: number | undefined;
  text: string;
}

/** One question of one person, and everything that they get for it. */
export interface Ask {
  /** No two questions have the same name. */
  name: string;
  actor: Actor;
  /** What they say themselves. */
  said: string;
  /** Whose link it opens, for who has its slug. */
  holds?: Letter | undefined;
  /** Everybody is served alike. */
  isForAll?: true;
  send(): Promise<Said>;
}

/** What can be asked about besides things: addresses and handles of people, and a link that no viewer has. */
export interface Names {
  emails: readonly (readonly [whose: string, email: string])[];
  handles: readonly (readonly [whose: string, handle: string])[];
  closedSlug: string;
}

/** Questions that name a person instead of an id: answers must not tell what an address or a handle belongs to. */
const byName = ({ emails, handles }: Names): (readonly [procedure: string, what: string, input: object])[] => [
  ...emails.flatMap(([whose, email]) => [
    ['accounts.signIn', `e-mail of ${whose}`, { email, password: 'not the password' }] as const,
    ['accounts.signUp', `e-mail of ${whose}`, { email, isAdult: true }] as const,
    ['accounts.askForPassword', `e-mail of ${whose}`, { email }] as const,
    ['accounts.captureLead', `e-mail of ${whose}`, { email, source: 'signup_form' }] as const,
    [
      'affiliates.apply',
      `e-mail of ${whose}`,
      { email, name: 'Jo', audience: 'A newsletter of mine', marksAds: true },
    ] as const,
    [
      'support.send',
      `e-mail of ${whose}`,
      { email, name: 'Jo', subject: 'A question', message: 'Where are my albums?' },
    ] as const,
  ]),
  ...handles.map(([whose, handle]) => ['accounts.checkHandle', `handle of ${whose}`, { handle }] as const),
];

/** The first of those that are the same question. */
const once = <T>(all: readonly T[], questionOf: (one: T) => string): T[] => [
  ...new Map(all.toReversed().map((one) => [questionOf(one), one])).values(),
];

/** What no id decides is asked once: random words in a body make no other question of it. */
const withoutChance = ({ path, body }: Call) =>
  `${path}${JSON.stringify(body ?? null).replace(/(new-|nobody-|"h_)[0-9a-f-]{20,36}/, '$1')}`;

/** Everything about which one asks a target: somebody's, nobody's, those of two creators mixed, and people by their names. */
function questionsOf(world: World, names: Names, target: Target, actor: Actor): Question[] {
  const [door] = target.doors;
  const byId = [...somebodys, ...nobodys, ...mixed].map((whose): Question => {
    return { target, actor, whose, door, things: thingsOf(world, whose, actor) };
  });
  const named = byName(names).flatMap(([of, whose, input]): Question[] =>
    of === target.name ? [{ target, actor, whose, door, things: world.a.things, input }] : [],
  );
  return once([...byId, ...named], (question) => withoutChance(callOf(question)));
}

/** Who asks what, and in which spellings of its address. */
interface Range {
  targets: readonly Target[];
  actors: readonly Actor[];
  spellings: readonly (string | undefined)[];
}

/** Whose link a mixed question opens. */
const holderOf: Readonly<Record<string, Letter>> = { A: 'A', 'B in A': 'A', B: 'B', 'A in B': 'B' };

/** Every procedure and raw route, through all doors, about everything. */
function* askTargets(world: World, names: Names, { targets, actors, spellings }: Range): Generator<Ask> {
  const pairs = targets.flatMap((target) => actors.map((actor) => ({ target, actor })));
  for (const { target, actor } of pairs)
    for (const plain of questionsOf(world, names, target, actor))
      for (const door of target.doors)
        for (const spelling of spellings) yield askOf(world, { ...plain, door, spelling });
}

function askOf(world: World, question: Question): Ask {
  const { target, actor, whose } = question;
  const { path, body } = callOf({ ...question, spelling: undefined });
  return {
    name: nameOf(question),
    actor,
    said: `${path}${JSON.stringify(body ?? '')}`,
    holds: target.name.includes(':slug') ? holderOf[whose] : undefined,
    send: () => (isRaw(target) ? said(ask(world, question)) : ask(world, question)),
  };
}

/** All words of an answer, if there is one. */
export async function said(answer: Promise<Heard>): Promise<Said> {
  const received = await answer.catch(() => undefined);
  if (received === undefined) return { status: undefined, text: '' };
  const { status, headers, bytes, text } = received;
  // The words of a PDF are packed, and written by the numbers of its own letters.
  const isPdf = status === 200 && headers.get('content-type') === 'application/pdf' && bytes.length > 0;
  return { status, text: isPdf ? text + (await readPdf(bytes)).words : text };
}

/** Addresses that nobody has, and what is no page. */
const oddAddresses = [
  ...['/robots.txt', '/api/openapi.json', '/healthz', '/api/health', '/favicon.ico', '/sitemap.xml', '/.env'],
  ...['/.git/HEAD', '/', '//', '/api/%zz', '/api/nothing', '/rpc/no/thing', '/m/c/x/y', '/m/s/x/0', '/dev/outbox'],
  ...['/dev/queue', '/dev/disputes', '/assets/x.js.map'],
];

/** Addresses that anybody may ask for. */
function listAddresses({ a, b }: World, names: Names, pages: readonly string[]): string[] {
  const words = byName(names).flatMap(([, , input]) => Object.values(input as Record<string, unknown>).map(String));
  const ids = [a, b].flatMap(({ things: { picture: _, email: __, ...ids } }) => Object.values(ids));
  return [
    ...oddAddresses,
    ...pages,
    ...ids.flatMap((id) => [`/view/${id}`, `/magic-links/${id}`, `/albums/${id}`, `/rpc/links/${id}`, `/api/v1/${id}`]),
    ...words.flatMap((word) => [`/@${word}`, `/rpc/accounts/${word}`, `/view/${word}`, `/api/avatars/${word}`]),
    `/view/${names.closedSlug}`,
  ];
}

/** Pages and files that are served alike to everybody. */
function* askAddresses(
  { app, viewerApi }: World,
  addresses: readonly string[],
  actors: readonly Actor[],
  methods: readonly string[],
): Generator<Ask> {
  const { origin } = new URL(app.engines.installation.publicUrl);
  for (const path of new Set(addresses))
    for (const actor of actors)
      for (const method of methods) {
        const headers = { origin, ...headersOf(actor.browser) } as Record<string, string>;
        yield {
          name: `${method} ${path} as ${actor.name}`,
          actor,
          said: path,
          isForAll: true,
          send: () => said(sendOver(viewerApi.url, { method, path, headers: {} }, headers)),
        };
      }
}

/** The ways in which somebody taps. */
const taps = {
  plainly: {},
  'of age': { isAdult: true },
  'with a wrong password': { password: 'not the password' },
  'with a code': { resumeCode: '0123456789' },
  'without pictures': { firstScreen: 0 },
  malformed: { firstScreen: 'x' },
};

/** What a viewer does with a link: the tap in each of its ways, then every picture in both sizes. */
function* askAsViewers({ a, b, viewerApi }: World, { closedSlug }: Names): Generator<Ask> {
  const slugs = [
    // A closed link says before its gate whose it is, and her welcome.
    ...([
      ['A', a.things.slug, 'A'],
      ['B', b.things.slug, 'B'],
      ['a closed link of A', closedSlug, 'A'],
    ] as const),
    ['nobody', 'unknownunknownunknown1', undefined] as const,
  ];
  for (const [whose, slug, holds] of slugs)
    for (const [how, body] of Object.entries(taps)) {
      const actor: Actor = { name: 'a new viewer', browser: newBrowser(), ...nobody };
      yield {
        name: `a tap on ${whose}, ${how}`,
        actor,
        said: slug,
        holds,
        async send() {
          const { browser } = actor;
          const { status, head, text, headers, pictures } = await viewerApi.tap(slug, body, browser);
          const items = ['p2048', 'thumb512'].map((rendition) => ({ mediaId: a.things.medium, rendition }));
          const leased = await viewerApi.lease(String(head?.visitId ?? a.things.visit), items, browser);
          const drawn = [...pictures, ...leased.pictures].flatMap(({ pack, keys }) => [pack, keys]);
          const heads = [head ?? null, [...headers], leased.head ?? null].map((one) => JSON.stringify(one));
          return {
            status,
            text: [...heads, text, leased.text, ...drawn.map((one) => one.toString('latin1'))].join('\n'),
          };
        },
      };
    }
}

/** Every question, in the order in which they spoil the least for those that follow. */
export function* askEverything(
  world: World,
  names: Names,
  { routes, pages, isLargest }: { routes: readonly Target[]; pages: readonly string[]; isLargest: boolean },
): Generator<Ask> {
  const { actors } = world;
  const procedures = listProcedures();
  const spellings = isLargest ? [undefined, ...spellingNames] : [undefined];
  const owners = actors.filter(({ owns }) => owns === 'A');
  const others = actors.filter(({ owns }) => owns !== 'A');
  const isEnding = (name: string) => endings.some((one) => one === name);
  const reading = procedures.filter(({ method }) => method === 'GET').map(targetOf);
  const writing = procedures.filter(({ method, name }) => method !== 'GET' && !isEnding(name)).map(targetOf);
  const ending = endings.flatMap((name) => procedures.filter((one) => one.name === name)).map(targetOf);
  const methods = isLargest ? ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] : ['GET', 'HEAD', 'POST'];
  yield* askAsViewers(world, names);
  yield* askTargets(world, names, { targets: reading, actors, spellings });
  yield* askTargets(world, names, { targets: routes, actors: others, spellings });
  yield* askAddresses(world, listAddresses(world, names, pages), actors, methods);
  yield* askTargets(world, names, { targets: writing, actors: others, spellings });
  yield* askTargets(world, names, { targets: routes, actors: owners, spellings });
  yield* askTargets(world, names, { targets: writing, actors: owners, spellings });
  yield* askTargets(world, names, { targets: ending, actors, spellings });
}
