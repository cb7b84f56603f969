import type { RouteOptions } from 'fastify';
import { readPdf } from '#tests/support/read-pdf.ts';
import { headersOf, newBrowser } from '#tests/support/test-app.ts';
import type { CanaryWorld } from './canary-world.ts';
import { bodyOf } from './matrix-bodies.ts';
import { thingsOf, type Whose } from './matrix-cells.ts';
import { askThrough, doors, listRows, type MatrixRow, spell, spellingNames } from './matrix-doors.ts';
import type { Asker, Things } from './matrix-world.ts';
import { listClosed, type Shape, sendShape, shapeOf } from './raw-shapes.ts';

/** What came back: everything that it says, and its status; none where the line was closed without a word. */
export interface Heard {
  status: number | undefined;
  text: string;
}

/** One question of one person, and everything that they get for it. */
export interface Ask {
  /** No two questions have the same name. */
  name: string;
  asker: Asker;
  /** What they say themselves. */
  said: string;
  /** Whose link it opens, for who has its slug. */
  holds?: 'A' | 'B' | undefined;
  /** Everybody is served alike. */
  isForAll?: true;
  send(): Promise<Heard>;
}

const whoses = ['A', 'B', 'unknown', 'malformed', 'other kind', 'upper case'] as const satisfies readonly Whose[];

/** The things that questions are about: somebody's, nobody's, and those of two creators mixed. */
function listThings(world: CanaryWorld, asker: Asker): (readonly [whose: string, things: Things])[] {
  const [a, b] = [world.a.things, world.b.things];
  return [
    ...whoses.map((whose) => [whose, thingsOf(world, whose, asker)] as const),
    ['A in B', { ...b, medium: a.medium, video: a.video, viewer: a.viewer, packId: a.packId }],
    ['B in A', { ...a, medium: b.medium, video: b.video, viewer: b.viewer, packId: b.packId }],
  ];
}

/** Questions that name a person instead of an id: answers must not tell what an address or a handle belongs to. */
function listByName({ canaries }: CanaryWorld): (readonly [procedure: string, what: string, input: object])[] {
  const of = (wanted: string) =>
    canaries.flatMap(({ place, secret, of: whose }) => (place === wanted ? [[whose, String(secret)] as const] : []));
  return [
    ...of('users.email').flatMap(([whose, email]) => [
      ['accounts.signIn', `e-mail of ${whose}`, { email, password: 'not the password' }] as const,
      ['accounts.signUp', `e-mail of ${whose}`, { email, isAdult: true }] as const,
      ['accounts.askForPassword', `e-mail of ${whose}`, { email }] as const,
      ['accounts.captureLead', `e-mail of ${whose}`, { email, source: 'signup_form' }] as const,
    ]),
    ...of('users.handle').map(([whose, handle]) => ['accounts.checkHandle', `handle of ${whose}`, { handle }] as const),
  ];
}

/** The browser of an asker as it was: what an answer changes in it stays with that answer. */
const copyOf = ({ browser }: Asker) => ({ ...browser, cookies: new Map(browser.cookies) });

/** The first of those that are the same question. */
const once = <T>(all: readonly T[], questionOf: (one: T) => string): T[] => [
  ...new Map(all.toReversed().map((one) => [questionOf(one), one])).values(),
];

/** What no id decides is asked once: random words in a body make no other question of it. */
const withoutChance = (input: object) => JSON.stringify(input).replace(/(new-|nobody-|"h_)[0-9a-f-]{20,36}/, '$1');

function listInputs(world: CanaryWorld, { name }: MatrixRow, asker: Asker): (readonly [what: string, input: object])[] {
  const byId = listThings(world, asker).map(([whose, things]) => [whose, bodyOf(name, things)] as const);
  const byName = listByName(world).flatMap(([of, what, input]) => (of === name ? [[what, input] as const] : []));
  return once([...byId, ...byName], ([, input]) => withoutChance(input));
}

/** Who asks what, and in which spellings of its address. */
interface Range<What> {
  all: readonly What[];
  askers: readonly Asker[];
  spellings: readonly (string | undefined)[];
}
const spelt = (spelling: string | undefined) => (spelling === undefined ? '' : `, ${spelling}`);

/** Every procedure, through both doors, about everything. */
export function* askProcedures(world: CanaryWorld, { all, askers, spellings }: Range<MatrixRow>): Generator<Ask> {
  const cells = all.flatMap((row) =>
    askers.flatMap((asker) => listInputs(world, row, asker).map(([what, input]) => ({ row, asker, what, input }))),
  );
  for (const { row, asker, what, input } of cells)
    for (const door of doors)
      for (const spelling of spellings)
        yield {
          name: `${row.name} as ${asker.name} on ${what} by ${door}${spelt(spelling)}`,
          asker,
          said: JSON.stringify(input),
          async send() {
            const { status, body, headers } = await askThrough(world.app, door, row, input, copyOf(asker), spelling);
            return { status, text: JSON.stringify(body ?? null) + JSON.stringify(headers) };
          },
        };
}

/** One call, and all words of its answer. */
async function fetchWhole(
  { viewerApi, app }: CanaryWorld,
  asker: Asker,
  shape: Shape & { method: string },
): Promise<Heard> {
  const origin = new URL(app.engines.installation.publicUrl).origin;
  const sent = { origin, ...headersOf(asker.browser) } as Record<string, string>;
  const answer = await sendShape(viewerApi.url, shape, sent).catch(() => undefined);
  if (answer === undefined) return { status: undefined, text: '' };
  const { status, headers, bytes } = answer;
  // The words of a PDF are packed, and written by the numbers of its own letters.
  const isPdf = status === 200 && headers.get('content-type') === 'application/pdf' && shape.method === 'POST';
  const words = isPdf ? (await readPdf(bytes)).words : '';
  return { status, text: JSON.stringify([...headers]) + bytes.toString('latin1') + words };
}

/** Whose link a mixed cell opens. */
const holderOf: Record<string, 'A' | 'B'> = { A: 'A', 'B in A': 'A', B: 'B', 'A in B': 'B' };

/** Every raw route, about everything. */
export function* askRoutes(world: CanaryWorld, { all, askers, spellings }: Range<RouteOptions>): Generator<Ask> {
  const cells = listClosed(all).flatMap(({ name }) =>
    askers.flatMap((asker) => {
      const shapes = listThings(world, asker).map(([whose, things]) => ({
        name,
        asker,
        whose,
        shape: shapeOf(name, things),
      }));
      return once(shapes, ({ shape }) => JSON.stringify(shape));
    }),
  );
  for (const { name, asker, whose, shape } of cells)
    for (const spelling of spellings) {
      const said = spell(shape.path, spelling);
      const [method = 'GET'] = name.split(' ');
      const headers = { ...shape.headers, ...said.headers };
      yield {
        name: `${name} as ${asker.name} on ${whose}${spelt(spelling)}`,
        asker,
        said: `${shape.path}${JSON.stringify(shape.body ?? '')}`,
        holds: name.includes(':slug') ? holderOf[whose] : undefined,
        send: () => fetchWhole(world, asker, { ...shape, method, path: said.url, headers }),
      };
    }
}

/** Addresses that anybody may ask for, and some that nobody has. */
function listAddresses(world: CanaryWorld, pages: readonly string[]): string[] {
  const names = listByName(world).flatMap(([, , input]) => Object.values(input as Record<string, unknown>).map(String));
  const ids = [...new Set([...Object.values(world.a.things), ...Object.values(world.b.things)])];
  return [
    ...[
      '/robots.txt',
      '/api/openapi.json',
      '/healthz',
      '/api/health',
      '/favicon.ico',
      '/sitemap.xml',
      '/.env',
      '/.git/HEAD',
    ],
    ...[
      '/',
      '//',
      '/api/%zz',
      '/api/nothing',
      '/rpc/no/thing',
      '/m/c/x/y',
      '/m/s/x/0',
      '/dev/outbox',
      '/dev/queue',
      '/assets/x.js.map',
    ],
    ...pages,
    ...ids.flatMap((id) => [`/view/${id}`, `/magic-links/${id}`, `/albums/${id}`, `/rpc/links/${id}`, `/api/v1/${id}`]),
    ...names.flatMap((name) => [`/@${name}`, `/rpc/accounts/${name}`, `/view/${name}`, `/api/avatars/${name}`]),
    `/view/${world.otherSlug}`,
  ];
}

/** Pages and files that are served alike to everybody. */
export function* askAddresses(
  world: CanaryWorld,
  { pages, askers, methods }: { pages: readonly string[]; askers: readonly Asker[]; methods: readonly string[] },
): Generator<Ask> {
  for (const path of new Set(listAddresses(world, pages)))
    for (const asker of askers)
      for (const method of methods)
        yield {
          name: `${method} ${path} as ${asker.name}`,
          asker,
          said: path,
          isForAll: true,
          send: () => fetchWhole(world, asker, { method, path }),
        };
}

/** What a viewer does with a link: the tap in each of its ways, then every picture in both sizes. */
export function* askAsViewers(world: CanaryWorld): Generator<Ask> {
  const { a, b, viewerApi, otherSlug } = world;
  const slugs = [
    ['A', a.things.slug],
    ['B', b.things.slug],
    ['a closed link of A', otherSlug],
    ['nobody', 'unknownunknownunknown1'],
  ] as const;
  const taps = {
    plainly: {},
    'of age': { isAdult: true },
    'with a wrong password': { password: 'not the password' },
    'with a code': { resumeCode: '0123456789' },
    'without pictures': { firstScreen: 0 },
    malformed: { firstScreen: 'x' },
  };
  for (const [whose, slug] of slugs)
    for (const [how, body] of Object.entries(taps)) {
      const asker: Asker = {
        name: 'a new viewer',
        browser: newBrowser(),
        owns: undefined,
        may: 'visitor',
        visits: undefined,
      };
      yield {
        name: `a tap on ${whose}, ${how}`,
        asker,
        said: slug,
        // A closed link says before its gate whose it is, and her welcome.
        holds: whose === 'a closed link of A' ? 'A' : holderOf[whose],
        async send() {
          const { browser } = asker;
          const { status, head, text, headers, pictures } = await viewerApi.tap(slug, body, browser);
          const items = ['p2048', 'thumb512'].map((rendition) => ({ mediaId: a.things.medium, rendition }));
          const leased = await viewerApi.lease(String(head?.visitId ?? a.things.visit), items, browser);
          const drawn = [...pictures, ...leased.pictures].flatMap(({ pack, keys }) => [
            pack.toString('latin1'),
            keys.toString('latin1'),
          ]);
          const heads = [head ?? null, [...headers], leased.head ?? null].map((said) => JSON.stringify(said));
          return { status, text: [...heads, text, leased.text, ...drawn].join('\n') };
        },
      };
    }
}

const isReading = ({ method }: MatrixRow) => method === 'GET';
const isOwner = ({ owns }: Asker) => owns === 'A';
/** What ends the asker's own visit or session comes last: who is out hears less. */
const endings = ['viewing.closeScreen', 'links.lockEverything', 'accounts.signOutEverywhere', 'accounts.signOut'];

/** Every question of the drill, in the order in which they spoil the least for those that follow. */
export function* askEverything(
  world: CanaryWorld,
  { routes, pages, isLargest }: { routes: readonly RouteOptions[]; pages: readonly string[]; isLargest: boolean },
): Generator<Ask> {
  const { askers } = world;
  const rows = listRows();
  const spellings = isLargest ? [undefined, ...spellingNames] : [undefined];
  const others = askers.filter((asker) => !isOwner(asker));
  const writing = rows.filter((row) => !isReading(row) && !endings.includes(row.name));
  const ending = endings.flatMap((name) => rows.filter((row) => row.name === name));
  yield* askAsViewers(world);
  yield* askProcedures(world, { all: rows.filter(isReading), askers, spellings });
  yield* askRoutes(world, { all: routes, askers: others, spellings });
  yield* askAddresses(world, {
    pages,
    askers,
    methods: isLargest ? ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] : ['GET', 'HEAD', 'POST'],
  });
  yield* askProcedures(world, { all: writing, askers: others, spellings });
  yield* askRoutes(world, { all: routes, askers: askers.filter(isOwner), spellings });
  yield* askProcedures(world, { all: writing, askers: askers.filter(isOwner), spellings });
  yield* askProcedures(world, { all: ending, askers, spellings });
}
