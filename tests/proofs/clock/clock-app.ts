import { expect } from 'vitest';
import { destroyDeletedAlbums } from '#features/albums/jobs.ts';
import { destroyDeletedMedia } from '#features/media/jobs.ts';
import { seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import { type SharedVideo, shareVideo } from '#tests/support/media/shared-video.ts';
import { must, readEmail, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, copyOf, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** What everything is made in, once it is open. */
export let app: TestApp;
export let shared: SharedVideo;
let people = 0;

/** Opens the app in which everything below is made. */
export async function openClockApp(): Promise<TestApp> {
  app = await openTestApp({ workJobs: false });
  shared = await shareVideo(app);
  return app;
}

/** Uses something that may have ended. @returns whether it still worked */
export type Use = () => Promise<boolean>;
/** Something that ends by itself: how long it lives, and how one is made at the present moment. */
export interface Ending {
  livesMs: number;
  make(): Promise<Use>;
}

/** Returns whether a call is answered with yes. */
export const works = async (procedure: string, input: object, browser: Browser) =>
  (await app.call(procedure, input, browser)).status === 200;
const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body;

/** The creator of the shared album at any time: signed in again. */
async function signIn(): Promise<Browser> {
  const browser = newBrowser();
  const { email, password } = shared.creator;
  await must(app, 'accounts.signIn', { email, password }, browser);
  return browser;
}
/** Makes a link to the shared album, or to others. */
export async function newLink(rules: object, more: object): Promise<{ id: string; slug: string }> {
  const input = { albumIds: [shared.albumId], rules: { ageGate: false, ...rules }, isLaxConfirmed: true, ...more };
  return must(app, 'links.create', input, await signIn());
}
async function askForAccount() {
  const browser = newBrowser();
  const email = `clock-${++people}@example.com`;
  await must(app, 'accounts.signUp', { email, isAdult: true }, browser);
  return { browser, ...(await readEmail(app, email)) };
}
export const never = { expiry: { kind: 'never' } };
/** Returns whether a tap opens a link. */
export const opens = async (slug: string, body: object = {}, browser = newBrowser()) =>
  (await shared.viewerApi.tap(slug, body, browser)).head !== undefined;

/** Opens a new link. @returns what its viewer gets at any later moment: renewed, with a picture, and by another tap */
export async function openVisit(expiry: object) {
  const { slug } = await newLink({}, { expiry });
  const viewer = newBrowser();
  const { visitId, items } = (await shared.viewerApi.tap(slug, {}, viewer)).head;
  const wanted = [{ mediaId: items[0].mediaId, rendition: 'thumb512' }];
  return async () => {
    const renewed = await app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, viewer);
    const { pictures } = await shared.viewerApi.lease(visitId, wanted, viewer);
    return { renewal: renewed.status, pictures: pictures.length, again: await opens(slug, {}, viewer) };
  };
}

async function deletedAlbum(): Promise<{ browser: Browser; albumId: string; mediaId: string }> {
  const { userId } = shared.creator;
  const { mediaId } = await seedPhoto(app, userId);
  const albumId = await seedAlbum(app, userId, [mediaId]);
  const browser = await signIn();
  await must(app, 'albums.remove', { albumId }, browser);
  return { browser, albumId, mediaId };
}
async function deletedMedium(): Promise<{ mediaId: string }> {
  const { mediaId } = await seedPhoto(app, shared.creator.userId);
  await must(app, 'media.remove', { mediaId }, await signIn());
  return { mediaId };
}
async function beginUpload(): Promise<{ location: string; browser: Browser }> {
  const browser = await signIn();
  const metadata = uploadMetadata({ albumId: shared.albumId });
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '1000', 'upload-metadata': metadata };
  const answer = await shared.viewerApi.fetch('/files', { method: 'POST', headers }, browser);
  expect(answer.status).toBe(201);
  return { location: new URL(answer.headers.get('location') ?? '', shared.viewerApi.url).pathname, browser };
}

/** By the column that holds the instant. */
export const proofs: Record<string, Ending> = {
  'magic_links.expires_at': {
    livesMs: hour,
    async make() {
      const { slug } = await newLink({}, { expiry: { kind: 'after', hours: 1 } });
      return () => opens(slug);
    },
  },
  'magic_links.undo_until': {
    livesMs: day,
    async make() {
      const { id } = await newLink({}, never);
      const browser = await signIn();
      await must(app, 'links.revoke', { linkIds: [id] }, browser);
      return () => works('links.undoRevoke', { linkIds: [id] }, browser);
    },
  },
  'albums.delete_at': {
    livesMs: 3 * day,
    async make() {
      const { browser, albumId } = await deletedAlbum();
      return () => works('albums.restore', { albumId }, browser);
    },
  },
  'media.deleted_at': {
    livesMs: 3 * day,
    async make() {
      const { mediaId } = await deletedMedium();
      return async () => works('media.restore', { mediaId }, await signIn());
    },
  },
  'uploads.expires_at': {
    livesMs: day,
    async make() {
      const { location, browser } = await beginUpload();
      const headers = { 'tus-resumable': '1.0.0', ...headersOf(browser) };
      return async () => (await shared.viewerApi.fetch(location, { method: 'HEAD', headers }, browser)).status === 200;
    },
  },
  'email_tokens.expires_at': {
    livesMs: 30 * minute,
    async make() {
      const { browser, token } = await askForAccount();
      return () => works('accounts.confirm', { token }, browser);
    },
  },
  'email_tokens.code_expires_at': {
    livesMs: 10 * minute,
    async make() {
      const { browser, code } = await askForAccount();
      return () => works('accounts.confirm', { code }, browser);
    },
  },
  'auth_sessions.expires_at': {
    livesMs: 30 * day,
    async make() {
      const browser = await signIn();
      return async () => (await me(browser)).user !== null;
    },
  },
  'users.trial_ends_at': {
    livesMs: 7 * day,
    async make() {
      const { browser } = await signUpCreator(app);
      return async () => (await me(browser)).hasAccess;
    },
  },
  'users.free_until': {
    livesMs: hour,
    async make() {
      const { browser, userId } = await signUpCreator(app);
      const until = new Date(app.engines.clock() + hour);
      await readRows(
        app,
        `update users set is_free_user = true, free_until = $2, subscription_status = null where id = $1`,
        [userId, until],
      );
      return async () => (await me(browser)).hasAccess;
    },
  },
  'viewer_resume_codes.expires_at': {
    livesMs: 30 * day,
    async make() {
      const { slug } = await newLink({ bindFirstViewer: true }, never);
      const { resumeCode } = (await shared.viewerApi.tap(slug)).head;
      return () => opens(slug, { resumeCode });
    },
  },
  'key_leases.expires_at': {
    livesMs: 30_000,
    async make() {
      const { slug } = await newLink({}, never);
      const browser = newBrowser();
      const [{ url, token }] = (await shared.viewerApi.tap(slug, {}, browser)).head.leases;
      return async () =>
        (await shared.viewerApi.fetch(url, { headers: { 'pf-lease': token } }, browser)).status === 200;
    },
  },
};

/** Acts that end something, each with its use afterwards. */
export const acts: Record<string, () => Promise<Use>> = {
  'a revoked link': async () => {
    const { id, slug } = await newLink({}, never);
    const viewer = newBrowser();
    const { visitId } = (await shared.viewerApi.tap(slug, {}, viewer)).head;
    await must(app, 'links.revoke', { linkIds: [id] }, await signIn());
    return async () =>
      (await opens(slug)) ||
      (await opens(slug, {}, viewer)) ||
      (await works('viewing.renew', { visitId, samples: [], idleMs: 0 }, viewer));
  },
  'a used code': async () => {
    const { browser, code } = await askForAccount();
    const before = copyOf(browser);
    await must(app, 'accounts.confirm', { code }, browser);
    return () => works('accounts.confirm', { code }, copyOf(before));
  },
  'a used link of a mail': async () => {
    const { browser, token } = await askForAccount();
    const before = copyOf(browser);
    await must(app, 'accounts.confirm', { token }, browser);
    return () => works('accounts.confirm', { token }, copyOf(before));
  },
  'a session that was signed out': async () => {
    const browser = await signIn();
    const before = copyOf(browser);
    await must(app, 'accounts.signOut', {}, browser);
    return async () => (await me(copyOf(before))).user !== null;
  },
  'an album that was destroyed': async () => {
    const { albumId } = await deletedAlbum();
    app.setNow(new Date(app.engines.clock() + 3 * day).toISOString());
    await destroyDeletedAlbums(app.engines);
    return async () => works('albums.restore', { albumId }, await signIn());
  },
  'a medium that was destroyed': async () => {
    const { mediaId } = await deletedMedium();
    app.setNow(new Date(app.engines.clock() + 3 * day).toISOString());
    await destroyDeletedMedia(app.engines);
    return async () => works('media.restore', { mediaId }, await signIn());
  },
  'a screen that was closed': async () => {
    const { slug } = await newLink({}, never);
    const viewer = newBrowser();
    const { visitId } = (await shared.viewerApi.tap(slug, {}, viewer)).head;
    await must(app, 'viewing.closeScreen', { visitId }, await signIn());
    return () => works('viewing.renew', { visitId, samples: [], idleMs: 0 }, viewer);
  },
};
