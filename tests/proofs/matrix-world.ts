import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { encryptOriginal } from '#features/media/original.ts';
import { takeCopy } from '#features/tracing/work/take-copy.ts';
import { newId } from '#kit/ids.ts';
import { confirmPerson, type Person, signUpCreator } from '#tests/support/people.ts';
import { type SeededPhoto, seedAlbum, seedPhoto } from '#tests/support/pictures.ts';
import { type Browser, newBrowser, type TestApp } from '#tests/support/test-app.ts';
import { seedVideo } from '#tests/support/videos.ts';
import { openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';
import { signInQuickly } from './quick-sessions.ts';

/** Everything that one creator has, by noun. */
export interface Things {
  album: string;
  /** Another one, with nothing in it. */
  spareAlbum: string;
  medium: string;
  link: string;
  slug: string;
  visit: string;
  viewer: string;
  session: string;
  upload: string;
  packId: string;
  /** Of a video beside the photo, and of its larger rung. */
  video: string;
  trackId: string;
  trace: string;
}

/** Somebody who asks: a browser, whose things are hers, and what her account may do. */
export interface Asker {
  name: string;
  browser: Browser;
  /** Whose things are hers; nobody's for visitors and viewers. */
  owns: 'A' | 'B' | 'own' | undefined;
  /** Signed in, set up, with access: may call what creators may call. */
  may: 'creator' | 'signed-in' | 'visitor';
  /** Visits of these links are hers. */
  visits: 'A' | 'B' | undefined;
  /** A visit to a link of A that was hers, whose right has ended. */
  endedVisit?: string;
  /** Another session of the same account, said in the same way; nobody's without an account. */
  signIn?: () => Promise<Browser>;
}

export interface World {
  app: TestApp;
  viewerApi: ViewerApi;
  a: { person: Person; things: Things };
  b: { person: Person; things: Things };
  viewerOfA: Browser;
  viewerOfB: Browser;
  askers: Asker[];
  /** New things of a creator, to be spent by a call that is allowed; a new session only when it is asked for. */
  fresh(whose: 'A' | 'B', wantsSession: boolean): Promise<Things>;
}

/** Words that stand in private columns of A and B and in no answer to anybody else. */
export const canaries = { A: 'canaryAAAA7qKx2mZ', B: 'canaryBBBB9wLp4nT' } as const;

/** New things of a creator, and a visit of a viewer to them. @param spare a session of hers that is there */
export async function makeThings(
  app: TestApp,
  viewerApi: ViewerApi,
  person: Person,
  whose: 'A' | 'B',
  viewer: Browser,
  spare?: string,
): Promise<Things> {
  const photo = await seedPhoto(app, person.userId, { side: 64 });
  await keepOriginal(app, photo, `original of ${canaries[whose]}`);
  const video = await seedVideo(app, person.userId, { seconds: 2 });
  const album = await seedAlbum(app, person.userId, [photo.mediaId, video.mediaId], `Album ${canaries[whose]}`);
  const link = await app.call(
    'links.create',
    {
      albumIds: [album],
      linkName: 'A link',
      recipientName: 'Bob',
      note: canaries[whose],
      rules: { ageGate: false },
      isLaxConfirmed: true,
    },
    person.browser,
  );
  if (link.status !== 200) throw new Error(`links.create: ${link.status} ${JSON.stringify(link.body)}`);
  const opened = await viewerApi.tap(link.body.slug, {}, viewer);
  const session = spare ?? (await makeSession(app, person));
  const copy = {
    creatorId: person.userId,
    albumId: album,
    bytes: Readable.from([Buffer.from(canaries[whose])]),
    sizeBytes: canaries[whose].length,
  };
  const upload = newId<'upload'>(app.engines.clock());
  const rows = await app.engines.database.work({ kind: 'system' }, async ({ db }) => {
    const now = new Date(app.engines.clock());
    await db
      .updateTable('media')
      .set({ original_name: `${canaries[whose]}.jpg` })
      .where('id', 'in', [photo.mediaId, video.mediaId])
      .execute();
    await db
      .insertInto('uploads')
      .values({
        id: upload,
        creator_id: person.userId,
        album_id: album,
        original_name: canaries[whose],
        bytes: 10,
        expires_at: new Date(now.getTime() + 3_600_000),
        created_at: now,
      })
      .execute();
    return db
      .selectFrom('viewer_sessions')
      .select('viewer_id')
      .where('id', '=', opened.head.visitId)
      .executeTakeFirstOrThrow();
  });
  return {
    album,
    spareAlbum: await seedAlbum(app, person.userId, [], `Spare ${canaries[whose]}`),
    medium: photo.mediaId,
    link: link.body.id,
    slug: link.body.slug,
    visit: opened.head.visitId,
    viewer: rows.viewer_id,
    session,
    upload,
    packId: photo.packs.thumb512.packId,
    video: video.mediaId,
    trackId: video.tracks.v720.packId,
    trace: await takeCopy(app.engines, copy, 'command'),
  };
}

/** Stores an original with a canary in it, so that whoever may load it down gets something. */
async function keepOriginal(app: TestApp, { mediaId, mediaKey }: SeededPhoto, text: string): Promise<void> {
  const stored = `media/${mediaId}/original.pfo`;
  const bytes = await buffer(Readable.from([Buffer.from(text)]).pipe(encryptOriginal(mediaKey)));
  await app.engines.storage.put(stored, bytes);
  await app.engines.database.work({ kind: 'system' }, ({ db }) =>
    db
      .updateTable('media')
      .set({ original_path: stored, bytes: Buffer.byteLength(text) })
      .where('id', '=', mediaId)
      .execute(),
  );
}

/** Another browser of hers. @returns the session's id */
async function makeSession(app: TestApp, { email, password, browser }: Person): Promise<string> {
  await app.call('accounts.signIn', { email, password }, newBrowser());
  const { body } = await app.call('accounts.listSessions', {}, browser);
  return body.sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent).id;
}

/** Viewers of links of A to another album of hers: one whose right is good, and one for each way in which it ends. */
async function addViewers(app: TestApp, viewerApi: ViewerApi, { browser, userId }: Person): Promise<Asker[]> {
  const { mediaId } = await seedPhoto(app, userId, { side: 64 });
  const album = await seedAlbum(app, userId, [mediaId], `Other ${canaries.A}`);
  const run = (text: string, id: string) =>
    app.engines.database.work({ kind: 'system' }, ({ client }) =>
      client.query(text, [id, new Date(app.engines.clock())]),
    );
  const ends: Record<string, (link: string, visit: string) => Promise<unknown>> = {
    'viewer of another link of A': async () => undefined,
    'viewer whose link expired': (link) => run('update magic_links set expires_at = $2 where id = $1', link),
    'viewer whose link is revoked': (link) => app.call('links.revoke', { linkIds: [link] }, browser),
    'viewer who is blocked': (_, visit) =>
      run(
        `insert into viewer_blocks (creator_id, viewer_id, at) select creator_id, viewer_id, $2 from viewer_sessions where id = $1`,
        visit,
      ),
  };
  const askers: Asker[] = [];
  for (const [name, end] of Object.entries(ends)) {
    const input = { albumIds: [album], rules: { ageGate: false }, isLaxConfirmed: true };
    const { id, slug } = (await app.call('links.create', input, browser)).body;
    const viewer = newBrowser();
    const { visitId } = (await viewerApi.tap(slug, {}, viewer)).head;
    await end(id, visitId);
    const isEnded = name !== 'viewer of another link of A';
    askers.push({ name, browser: viewer, ...nobody, ...(isEnded && { endedVisit: visitId }) });
  }
  return askers;
}

const isSessionCookie = ([name]: [string, string]) => name.includes('session_token');
const byBearer = (said: string) => newBrowser({ authorization: `Bearer ${said}` });
/** The session of a browser as a program says it. */
const asBearer = ({ cookies }: Browser) => byBearer(decodeURIComponent([...cookies].find(isSessionCookie)?.[1] ?? ''));

const nobody = { owns: undefined, may: 'visitor', visits: undefined } as const;

const copyOf = ({ cookies }: Browser): Browser => ({ ...newBrowser(), cookies: new Map(cookies) });

/** Two creators who know nothing of each other, their viewers, and everybody else who might ask. */
export async function makeWorld(app: TestApp): Promise<World> {
  const viewerApi = await openViewerApi(app);
  const [anna, berta] = [await signUpCreator(app), await signUpCreator(app)];
  const [viewerOfA, viewerOfB] = [newBrowser(), newBrowser()];
  const a = { person: anna, things: await makeThings(app, viewerApi, anna, 'A', viewerOfA) };
  const b = { person: berta, things: await makeThings(app, viewerApi, berta, 'B', viewerOfB) };
  const forgedSession = newBrowser();
  const [name = '', value = ''] = [...anna.browser.cookies].find(isSessionCookie) ?? [];
  forgedSession.cookies.set(name, `${decodeURIComponent(value).split('.')[0]}.${'A'.repeat(43)}%3D`);
  const forgedViewer = newBrowser();
  for (const cookie of viewerOfA.cookies.keys()) forgedViewer.cookies.set(cookie, 'A'.repeat(43));
  const leaving = await signUpCreator(app);
  const signedOut = copyOf(leaving.browser);
  await app.call('accounts.signOut', {}, leaving.browser);
  const halfway = await confirmPerson(app);
  const [lapsed, suspended, admin] = [await signUpCreator(app), await signUpCreator(app), await signUpCreator(app)];
  await app.engines.database.work({ kind: 'system' }, async ({ db }) => {
    await db
      .updateTable('users')
      .set({ trial_ends_at: new Date(app.engines.clock() - 1000) })
      .where('id', '=', lapsed.userId)
      .execute();
    await db.updateTable('users').set({ status: 'suspended' }).where('id', '=', suspended.userId).execute();
    await db.insertInto('user_roles').values({ user_id: admin.userId, role: 'admin' }).execute();
  });
  const unconfirmed = newBrowser();
  await app.call('accounts.signUp', { email: 'unconfirmed@example.com', isAdult: true }, unconfirmed);
  const signed = decodeURIComponent(value);
  type Account = Pick<Person, 'userId'>;
  const again = ({ userId }: Account) => ({ visits: undefined, signIn: () => signInQuickly(app, userId) });
  const againByBearer = (account: Account) => ({
    visits: undefined,
    signIn: async () => asBearer(await again(account).signIn()),
  });
  const askers: Asker[] = [
    { name: 'visitor', browser: newBrowser(), ...nobody },
    { name: 'forged session', browser: forgedSession, ...nobody },
    { name: 'forged viewer', browser: forgedViewer, ...nobody },
    { name: 'signed out', browser: signedOut, ...nobody },
    { name: 'creator A', browser: anna.browser, owns: 'A', may: 'creator', ...again(anna) },
    { name: 'creator A by bearer token', browser: byBearer(signed), owns: 'A', may: 'creator', ...againByBearer(anna) },
    { name: 'forged bearer token', browser: byBearer(`${signed.split('.')[0]}.${'A'.repeat(43)}=`), ...nobody },
    { name: 'unconfirmed', browser: unconfirmed, ...nobody },
    { name: 'creator B', browser: berta.browser, owns: 'B', may: 'creator', ...again(berta) },
    { name: 'before set-up', browser: halfway.browser, owns: 'own', may: 'signed-in', ...again(halfway) },
    { name: 'lapsed', browser: lapsed.browser, owns: 'own', may: 'signed-in', ...again(lapsed) },
    { name: 'suspended', browser: suspended.browser, owns: 'own', may: 'signed-in', ...again(suspended) },
    { name: 'admin', browser: admin.browser, owns: 'own', may: 'creator', ...again(admin) },
    { name: 'viewer of A', browser: viewerOfA, ...nobody, visits: 'A' },
    { name: 'viewer of B', browser: viewerOfB, ...nobody, visits: 'B' },
    ...(await addViewers(app, viewerApi, anna)),
  ];
  const fresh = async (whose: 'A' | 'B', wantsSession: boolean) => {
    const [{ person, things }, viewer] = whose === 'A' ? [a, viewerOfA] : [b, viewerOfB];
    // The call before may have blocked this viewer, as it was allowed to.
    await app.engines.database.work({ kind: 'system' }, ({ db }) =>
      db.deleteFrom('viewer_blocks').where('viewer_id', '=', things.viewer).execute(),
    );
    return makeThings(app, viewerApi, person, whose, viewer, wantsSession ? undefined : things.session);
  };
  return { app, viewerApi, a, b, viewerOfA, viewerOfB, askers, fresh };
}
