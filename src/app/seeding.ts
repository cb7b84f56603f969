import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from '#engines/engines.ts';
import { writePassword } from '#features/accounts/auth-store.ts';
import { eraseAccount } from '#features/accounts/closing-store.ts';
import { hashPassword } from '#features/accounts/password.ts';
import { findAccountByEmail } from '#features/accounts/store.ts';
import { removeStaged } from '#features/albums/staging.ts';
import { adoptUpload } from '#features/albums/uploads.ts';
import { findUpload, insertUpload, stagingOf } from '#features/albums/uploads-store.ts';
import { deleteEmailsOf, listEmails } from '#features/notices/store.ts';
import { newId, newToken } from '#kit/ids.ts';
import { hourMs } from '#kit/time.ts';
import { type Caller, openCaller } from './caller.ts';

/** Somebody whom a seed has signed up. */
export interface Seeded {
  caller: Caller;
  userId: string;
  email: string;
  /** Random in every installation. */
  password: string;
}

interface Who {
  email: string;
  displayName: string;
  handle: string;
}

/** Signs somebody up as people do: address, code from the outbox, the four steps of the setup, a trial. */
export async function seedCreator(engines: Engines, who: Who): Promise<Seeded> {
  const caller = openCaller(engines);
  const { email, displayName, handle } = who;
  await caller.accounts.signUp({ email, isAdult: true });
  const emails = await engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 50));
  const code = /^\s*(\d{6})$/m.exec(emails.find(({ to }) => to === email)?.text ?? '')?.[1];
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
  return { caller, userId: user.id, email, password };
}

/** The same for somebody who may be there since a seed that was broken off: a new password, or all from the beginning. */
export async function seedAgain(engines: Engines, who: Who): Promise<Seeded> {
  const { work } = engines.database;
  const account = await work({ kind: 'system' }, (tx) => findAccountByEmail(tx, who.email));
  if (account?.setupStep === 'done') {
    const [caller, password] = [openCaller(engines), newToken(16)];
    const hash = await hashPassword(password);
    await work({ kind: 'system' }, (tx) => writePassword(engines, tx, account.id, hash));
    await caller.accounts.signIn({ email: who.email, password });
    return { caller, userId: account.id, email: who.email, password };
  }
  if (account !== undefined)
    await work({ kind: 'system' }, async (tx) => {
      await deleteEmailsOf(tx, account.id);
      await eraseAccount(tx, account.id);
    });
  return seedCreator(engines, who);
}

/**
 * Puts picture files into an album and waits until all are ready or failed; one that was left half filled is filled up.
 * @returns the album's id
 * @throws when the signal says that it shall end
 */
export async function seedAlbum(
  engines: Engines,
  seeded: Seeded,
  { name, files, signal }: { name: string; files: readonly string[]; signal?: AbortSignal | undefined },
): Promise<string> {
  const { albums } = seeded.caller;
  const { id: albumId } =
    (await albums.list({ search: name })).albums.find((album) => album.name === name) ??
    (await albums.create({ name }));
  const there = (await albums.one({ albumId })).items.length + (await albums.openUploads({ albumId })).length;
  for (const file of files.slice(there)) {
    signal?.throwIfAborted();
    await seedPicture(engines, seeded, albumId, file);
  }
  for (let tries = 0; tries < 1200 + 60 * files.length; tries++) {
    const { album, items } = await albums.one({ albumId });
    if (album.pendingCount === 0 && items.length >= files.length) return albumId;
    await wait(100, undefined, { signal });
  }
  throw new Error('The pictures were not ready in time.');
}

/** One picture by the way of an upload whose last part has just come. */
async function seedPicture(engines: Engines, { userId }: Seeded, albumId: string, file: string): Promise<void> {
  const staging = stagingOf(engines.installation.dataDir);
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  const now = new Date(engines.clock());
  const id = newId(now.getTime());
  copyFileSync(file, path.join(staging, id));
  const what = { originalName: path.basename(file), sizeBytes: statSync(file).size };
  const row = await engines.database.work({ kind: 'user', userId }, async (tx) => {
    await insertUpload(tx, {
      id,
      creatorId: userId,
      albumId,
      ...what,
      expiresAt: new Date(now.getTime() + hourMs),
      now,
    });
    return findUpload(tx, id);
  });
  if (row === undefined) throw new Error('An upload vanished.');
  await adoptUpload(engines, row, undefined, now);
  await removeStaged(engines.installation.dataDir, id);
}
