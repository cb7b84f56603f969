import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from '#engines/engines.ts';
import { writePassword } from '#features/accounts/auth-store.ts';
import { beginSession } from '#features/accounts/browser-session.ts';
import { eraseAccount } from '#features/accounts/closing-store.ts';
import { hashPassword } from '#features/accounts/password.ts';
import { findAccountByEmail, findUserIdByEmail } from '#features/accounts/store.ts';
import { removeStaged } from '#features/albums/staging.ts';
import { finishUpload } from '#features/albums/uploads.ts';
import { findUpload, insertUpload, stagingOf } from '#features/albums/uploads-store.ts';
import type { MagicLink } from '#features/links/contract.ts';
import { deleteEmailsOf, listEmails } from '#features/notices/store.ts';
import { newId, newToken } from '#kit/ids.ts';
import { hourMs } from '#kit/time.ts';
import { atMoment, type Caller, contextInside, openCaller } from './caller.ts';

/** Somebody in whose name a seed calls. */
export interface SignedIn {
  caller: Caller;
  /** The same browser at another moment. */
  at(now: Date): Caller;
  userId: string;
}

/** Somebody whom a seed has signed up. */
export interface Seeded extends SignedIn {
  email: string;
  /** Random in every installation. */
  password: string;
}

interface Who {
  email: string;
  displayName: string;
  handle: string;
}

/** A browser that is nobody's yet. */
function openBrowser(engines: Engines): Omit<SignedIn, 'userId'> & { jar: Map<string, string> } {
  const jar = new Map<string, string>();
  return { jar, caller: openCaller(engines, jar), at: (now) => openCaller(atMoment(engines, now), jar) };
}

/** Calls in the name of somebody who is there, as the developer pages do; sign out at the end. */
export async function signInAs(engines: Engines, email: string): Promise<SignedIn> {
  const userId = await engines.database.work({ kind: 'system' }, (tx) => findUserIdByEmail(tx, email));
  if (userId === undefined) throw new Error(`No account has the address ${email}.`);
  const { jar, caller, at } = openBrowser(engines);
  await beginSession(contextInside(engines, jar), userId);
  return { caller, at, userId };
}

/** Signs somebody up as people do: address, code from the outbox, the four steps of the setup, a trial. */
export async function seedCreator(engines: Engines, who: Who): Promise<Seeded> {
  const { caller, at } = openBrowser(engines);
  const { email, displayName, handle } = who;
  await caller.accounts.signUp({ email, isAdult: true });
  const emails = await engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 50));
  const code = /^[ \t]*(\d{6})$/m.exec(emails.find(({ to }) => to === email)?.text ?? '')?.[1];
  if (code === undefined)
    throw new Error(`There is no code in the email to ${email}. Does the address have an account already?`);
  await caller.accounts.confirm({ code });
  const password = newToken(16);
  await caller.accounts.setUpPassword({ password });
  await caller.accounts.setUpProfile({ displayName, handle, country: 'DE', timeZone: 'Europe/Berlin' });
  await caller.accounts.setUpConsent({ birthDate: '1994-05-01', acceptsTerms: true, acceptsContentPolicy: true });
  await caller.accounts.finishSetup();
  const { user } = await caller.accounts.me();
  if (user === null) throw new Error(`${email} is not signed in after the setup.`);
  return { caller, at, userId: user.id, email, password };
}

/** The same for somebody who may be there since a seed that was broken off: a new password, or all from the beginning. */
export async function seedAgain(engines: Engines, who: Who): Promise<Seeded> {
  const { work } = engines.database;
  const account = await work({ kind: 'system' }, (tx) => findAccountByEmail(tx, who.email));
  if (account?.setupStep === 'done') {
    const [{ caller, at }, password] = [openBrowser(engines), newToken(16)];
    const hash = await hashPassword(password);
    await work({ kind: 'system' }, (tx) => writePassword(engines, tx, account.id, hash));
    await caller.accounts.signIn({ email: who.email, password });
    return { caller, at, userId: account.id, email: who.email, password };
  }
  if (account !== undefined)
    await work({ kind: 'system' }, async (tx) => {
      await deleteEmailsOf(tx, account.id);
      await eraseAccount(tx, account.id);
    });
  return seedCreator(engines, who);
}

/** Which files an album gets, and when. */
interface AlbumParams {
  name: string;
  files: readonly string[];
  /** When they come; now, unless it is said. */
  at?: Date;
  /** Hears how many are ready or failed, each time that it has waited for them for a while. */
  onWaiting?: ((done: number) => void) | undefined;
  looks?: Looks;
  signal?: AbortSignal | undefined;
}

/** How often it is looked whether an album is ready, and how many looks are a while. */
interface Looks {
  everyMs: number;
  ofWhile: number;
}

const usualLooks: Looks = { everyMs: 250, ofWhile: 240 };

/**
 * Puts files into an album and waits until all that are left are ready or failed, however long a slow machine takes; one that was left
 * half filled is filled up.
 * @returns the album's id
 * @throws when the signal says that it shall end
 */
export async function seedAlbum(engines: Engines, seeded: SignedIn, params: AlbumParams): Promise<string> {
  const { name, files, signal, onWaiting, looks = usualLooks, at = new Date(engines.clock()) } = params;
  const { albums } = seeded.caller;
  const { id: albumId } =
    (await albums.list({ search: name })).albums.find((album) => album.name === name) ??
    (await seeded.at(at).albums.create({ name, peopleConsent: 'only_me' }));
  const { items: there } = await albums.one({ albumId });
  const begun = new Set((await albums.openUploads({ albumId })).map(({ uploadId }) => uploadId));
  for (const file of files.slice(there.length + begun.size)) {
    signal?.throwIfAborted();
    await seedFile(engines, seeded, { albumId, file, at });
  }
  for (let n = 1; ; n++) {
    // Uploads first: one that ends between the two looks is an item by the second. What people delete meanwhile is not waited for.
    const uploads = begun.size === 0 ? [] : await albums.openUploads({ albumId });
    const { album, items } = await albums.one({ albumId });
    if (album.pendingCount === 0 && !uploads.some(({ uploadId }) => begun.has(uploadId))) return albumId;
    if (n % looks.ofWhile === 0) onWaiting?.(items.length - album.pendingCount);
    await wait(looks.everyMs, undefined, { signal });
  }
}

/** One file by the way of an upload whose last part has just come. */
async function seedFile(
  engines: Engines,
  { userId }: SignedIn,
  { albumId, file, at }: { albumId: string; file: string; at: Date },
): Promise<void> {
  const staging = stagingOf(engines.installation.dataDir);
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  const id = newId(at.getTime());
  copyFileSync(file, path.join(staging, id));
  const what = { originalName: path.basename(file), sizeBytes: statSync(file).size };
  // Whoever tidies up looks at the real clock.
  const expiresAt = new Date(engines.clock() + hourMs);
  const row = await engines.database.work({ kind: 'user', userId }, async (tx) => {
    await insertUpload(tx, { id, creatorId: userId, albumId, ...what, expiresAt, now: at });
    return findUpload(tx, id);
  });
  if (row === undefined) throw new Error('An upload vanished.');
  await finishUpload(engines, row, undefined, at);
  await removeStaged(engines.installation.dataDir, id);
}

/** A creator's links by their names. */
export const listByName = async ({ caller }: SignedIn): Promise<ReadonlyMap<string, MagicLink>> =>
  new Map((await caller.links.list({})).links.map((link) => [link.linkName, link]));

/** Makes a link at a moment, unless there is one of this name. */
export async function linkOnce(
  creator: SignedIn,
  at: Date,
  params: Parameters<Caller['links']['create']>[0] & { linkName: string },
): Promise<MagicLink> {
  return (await listByName(creator)).get(params.linkName) ?? creator.at(at).links.create(params);
}
