import { connect } from 'node:net';
import { vi } from 'vitest';
import { usualSlowLimits } from '#app/server/slow-clients.ts';
import { paintJpeg } from '#tests/support/media/paint.ts';
import { signUpCreator } from '#tests/support/people.ts';
import { type Browser, headersOf, newBrowser, type TestApp } from '#tests/support/test-app.ts';
import { ask } from '../asking/driver.ts';
import { listClosed } from '../asking/routes.ts';
import { mustSucceed, somebodys, thingsOf } from '../asking/whose.ts';
import type { World } from '../asking/world.ts';
import { whileBroken } from '../crashes/break-installation.ts';
import {
  beginUpload,
  call,
  file,
  get,
  nobodys,
  openAsks,
  ownAsks,
  post,
  rest,
  uploadAsks,
  viewerAsks,
} from './asks.ts';
import { type Heard, Listener, type LiveApp, openLiveApp, signIn, withoutSuccess } from './listener.ts';

/** Asks for an answer of every kind, and of every route. */
export async function hearEverything(world: World, live: LiveApp): Promise<Listener> {
  const { app } = world;
  const { person, things, viewer } = world.a;
  const listener = new Listener(live);
  for (const one of openAsks(things.slug)) await listener.ask(one, newBrowser());
  await hearUnchanged(listener, `/view/${things.slug}`);
  const creator = await signIn(listener, person);
  for (const one of ownAsks(things)) await listener.ask(one, creator);
  for (const one of viewerAsks(things)) await listener.ask(one, viewer);
  await hearOtherDoor(listener, creator);
  for (const one of uploadAsks(await begin(listener, things.album, creator))) await listener.ask(one, creator);
  await hearCreator(listener, creator);
  await hearRoutes(world, listener, live);
  await hearSlow(app, await begin(listener, things.album, creator), creator, listener);
  await hearBugs(app, listener, creator);
  await receiveRefusals(app, things.slug, listener);
  const leaving = await signIn(listener, await signUpCreator(app));
  await listener.ask(call('sign-out', 'accounts.signOut', {}), leaving);
  return listener;
}

/** A page that the browser knows already. */
async function hearUnchanged(listener: Listener, path: string): Promise<void> {
  const { headers } = await listener.ask(get('the page of a link again', path, 200, { kind: 'door' }), newBrowser());
  const known = { kind: 'door', headers: { 'if-none-match': headers.get('etag') ?? '' } } as const;
  await listener.ask(get('the page of a link that has not changed', path, 304, known), newBrowser());
}

async function begin(listener: Listener, albumId: string, creator: Browser): Promise<string> {
  const { headers } = await listener.ask(beginUpload('an upload begun', albumId, 4, 201), creator);
  return headers.get('location') ?? '';
}

/** Every raw route that is not for everybody, by somebody to whom it has to give something. */
async function hearRoutes(world: World, listener: Listener, { watch }: LiveApp): Promise<void> {
  const { routes } = watch;
  for (const target of listClosed(routes.filter(({ config }) => config?.who !== undefined))) {
    if (withoutSuccess.has(target.name)) continue;
    const [found] = somebodys.flatMap((whose) =>
      world.actors.filter((actor) => mustSucceed(target, actor, whose)).map((actor) => ({ actor, whose })),
    );
    if (found === undefined) throw new Error(`Nobody may ask ${target.name}.`);
    const known = thingsOf(world, found.whose, found.actor);
    // The same part comes in two ways: the second one needs an upload of its own.
    const things = target.name === 'POST /files/:id' ? { ...known, upload: await world.begin(found.whose) } : known;
    const { status, headers } = await ask(world, { target, ...found, door: 'raw', things });
    listener.hear({ what: target.name, kind: 'private', route: watch.last, status, headers });
  }
}

/** The API as programs call it, by every method that a contract knows. */
async function hearOtherDoor(listener: Listener, creator: Browser): Promise<void> {
  await listener.ask(rest('her links by the other door', 'GET', '/links'), creator);
  const made = await listener.ask(rest('something made', 'POST', '/albums', { name: 'New' }), creator);
  const album = `/albums/${JSON.parse(made.bytes.toString()).id}`;
  await listener.ask(rest('something changed', 'PATCH', album, { name: 'Changed' }), creator);
  await listener.ask(rest('something removed', 'DELETE', album, {}), creator);
  await listener.ask(rest('something set', 'PUT', '/profile/public-page', { isOn: true }), creator);
}

/** The page of a creator for everybody, and her picture. */
async function hearCreator(listener: Listener, creator: Browser): Promise<void> {
  const picture = await paintJpeg(1, 600, 400);
  const sent = await listener.ask(file('a picture of herself', 'PUT', '/api/profile/avatar', picture), creator);
  const me = await listener.ask(call('who she is', 'accounts.me', {}), creator);
  const { handle } = JSON.parse(me.bytes.toString()).json.user;
  await listener.ask(get('a public page', `/@${handle}`), newBrowser());
  await listener.ask(get('her picture', JSON.parse(sent.bytes.toString()).url), newBrowser());
}

/** One head as it came over the bare line. */
function headOf(what: string, text: string): Heard {
  const [first = '', ...lines] = text.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim());
  return { what, kind: 'private', route: undefined, status: Number(first.split(' ')[1]), headers };
}

/** Writes bytes and waits until the line is cut. */
const shout = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let said = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
    });
    socket.on('error', () => undefined); // its end is told by `close`
    socket.on('close', () => resolve(said));
  });

/** What a server says that has too much to do: at its door, and after it has decided. */
async function receiveRefusals(from: TestApp, slug: string, received: Listener): Promise<void> {
  const live = await openLiveApp(from, { patience: { loopMs: 0.001, poolMs: 1 } });
  const { app } = live;
  const listener = new Listener(live, received);
  // Late it is always by some microseconds, once it was looked at.
  await vi.waitUntil(() => app.memoryUsage().eventLoopDelay > 0.001);
  await listener.ask(call('what can wait in a crowd', 'insights.overview', { days: 30 }, 503), newBrowser());
  await listener.ask(post('the tap in a crowd', `/api/view/${slug}/open`, {}, 503), newBrowser());
  await app.close();
}

/** What is said of a bug, behind every kind of address. */
async function hearBugs(app: TestApp, listener: Listener, creator: Browser): Promise<void> {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const renamed = { plant: 'alter table traces rename to planted', mend: 'alter table planted rename to traces' };
  await whileBroken(app, renamed, async () => {
    await listener.ask(call('a bug', 'tracing.list', {}, 500), creator);
    await listener.ask(get('a bug of a raw route', `/api/traces/${nobodys}/original`, 500), creator);
  });
  said.mockRestore();
}

/** What is said over the bare line: to who is too slow, and to what is no request. */
async function hearSlow(from: TestApp, location: string, creator: Browser, received: Listener): Promise<void> {
  const slow = { ...usualSlowLimits, headersMs: 300, bodyMs: 300, uploadMs: 300, checkMs: 100 };
  const { app, url } = await openLiveApp(from, { slow });
  const host = 'Host: localhost:3000\r\n';
  const { cookie } = headersOf(creator);
  const tus = 'Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n';
  const own = `${host}Cookie: ${cookie}\r\nOrigin: https://localhost:3000\r\n`;
  const shouts: Record<string, readonly [status: number, bytes: string]> = {
    'a head that is too slow': [408, `GET / HTTP/1.1\r\n${host}X-Slow: `],
    'an upload that is too slow': [408, `PATCH ${location} HTTP/1.1\r\n${own}${tus}Content-Length: 4\r\n\r\na`],
    'a head that is too long': [431, `GET / HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    'no HTTP at all': [400, 'GARBAGE\r\n\r\n'],
  };
  for (const [what, [status, bytes]] of Object.entries(shouts))
    received.hear(headOf(what, await shout(url, bytes)), status);
  await app.close();
}
