import { findTraceKey } from '#features/tracing/store.ts';
import { putTraceFile } from '#features/tracing/work/trace-files.ts';
import { openLeakWorld, resave, untilTraced } from '#tests/support/leaks.ts';
import { paintJpeg } from '#tests/support/paint.ts';
import type { Person } from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { Listener, openLiveApp, signIn } from './header-answers.ts';
import { beginUpload, call, file, get, post, rest, send, uploadAsks } from './header-asks.ts';

/** The API as programs call it, by every method that a contract knows. */
export async function hearOtherDoor(listener: Listener, creator: Browser): Promise<void> {
  await listener.ask(rest('her links by the other door', 'GET', '/links'), creator);
  const made = await listener.ask(rest('something made', 'POST', '/albums', { name: 'New' }), creator);
  const album = `/albums/${JSON.parse(made.bytes.toString()).id}`;
  await listener.ask(rest('something changed', 'PATCH', album, { name: 'Changed' }), creator);
  await listener.ask(rest('something removed', 'DELETE', album, {}), creator);
  await listener.ask(rest('something set', 'PUT', '/profile/public-page', { isOn: true }), creator);
}

/** Files that a creator hands in: one that is given up, and one that she gets back as it was. */
export async function hearUploads(listener: Listener, albumId: string, creator: Browser): Promise<void> {
  const begin = async (what: string) => {
    const { headers } = await listener.ask(beginUpload(what, albumId, 4, 201), creator);
    return headers.get('location') ?? '';
  };
  const location = await begin('an upload begun');
  for (const ask of uploadAsks(location)) await listener.ask(ask, creator);
  const uploadId = location.split('/').at(-1) ?? '';
  const found = await listener.ask(call('what became of it', 'media.byUpload', { uploadId }), creator);
  const { mediaId } = JSON.parse(found.bytes.toString()).json;
  await listener.ask(get('an original', `/api/media/${mediaId}/original`), creator);
  await listener.ask(send('an upload given up', 'DELETE', await begin('an upload to be given up'), 204), creator);
}

/** The page of a creator for everybody, and her picture. */
export async function hearCreator(listener: Listener, creator: Browser): Promise<void> {
  const picture = await paintJpeg(1, 600, 400);
  const sent = await listener.ask(file('a picture of herself', 'PUT', '/api/profile/avatar', picture), creator);
  const me = await listener.ask(call('who she is', 'accounts.me', {}), creator);
  const visitor: Browser = { cookies: new Map() };
  const { handle } = JSON.parse(me.bytes.toString()).json.user;
  await listener.ask(get('a public page', `/@${handle}`), visitor);
  await listener.ask(get('her picture', JSON.parse(sent.bytes.toString()).url), visitor);
  await listener.ask(file('her picture taken away', 'DELETE', '/api/profile/avatar'), creator);
}

/** A copy that is handed in, traced in an installation that works, and what a trace has to give. */
export async function hearTraces(together: Listener): Promise<void> {
  const app = await openTestApp();
  try {
    const live = await openLiveApp(app);
    await hearTrace(app, new Listener(live, together));
    await live.app.close();
  } finally {
    await app.close();
  }
}

async function hearTrace(app: TestApp, listener: Listener): Promise<void> {
  const world = await openLeakWorld(app);
  const copy = await resave(await world.invite('Bob'));
  const { creator, albumId }: { creator: Person; albumId: string } = world;
  const browser = await signIn(listener, creator);
  const given = await listener.ask(file('a copy', 'POST', `/api/traces?albumId=${albumId}`, copy, 201), browser);
  const { traceId } = JSON.parse(given.bytes.toString());
  await untilTraced(world, traceId, creator.browser);
  await keepMoment(app, creator.userId, traceId);
  for (const ask of [
    get('a copy as it is shown', `/api/traces/${traceId}/preview`),
    get('the moment of a video', `/api/traces/${traceId}/original`),
    post('evidence to check', `/api/traces/${traceId}/evidence.json`, {}),
    post('evidence to read', `/api/traces/${traceId}/evidence.pdf`, {}),
  ])
    await listener.ask(ask, browser);
}

/** The moment that a copy of a video shows is drawn by ffmpeg, which not every machine has; here it is put where that would. */
async function keepMoment({ engines }: TestApp, userId: string, traceId: string): Promise<void> {
  const { database, keys, storage } = engines;
  const key = await database.work({ kind: 'user', userId }, (tx) => findTraceKey(tx, keys, traceId));
  if (key === undefined) throw new Error('A trace has no key.');
  const bytes = Buffer.from('a picture');
  await putTraceFile(storage, { traceId, key }, 'original', bytes, bytes.length);
}
