import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from '#engines/engines.ts';
import { makeAdmin } from '#features/accounts/store.ts';
import { adoptUpload } from '#features/albums/uploads.ts';
import { findUpload, insertUpload, stagingOf } from '#features/albums/uploads-store.ts';
import { listLetters } from '#features/notices/store.ts';
import { newId, newToken } from '#kit/ids.ts';
import { type Caller, openCaller } from './caller.ts';

/** Somebody whom a seed has signed up. */
export interface Seeded {
  caller: Caller;
  userId: string;
  email: string;
  /** Random in every installation. */
  password: string;
}

/** Signs somebody up as people do: address, code from the outbox, the four steps of the setup, a trial. */
export async function seedCreator(
  engines: Engines,
  who: { email: string; displayName: string; handle: string },
): Promise<Seeded> {
  const caller = openCaller(engines);
  const { email, displayName, handle } = who;
  await caller.accounts.signUp({ email, isAdult: true });
  const letters = await engines.database.work({ kind: 'system' }, (tx) => listLetters(tx, 50));
  const code = /^\s*(\d{6})$/m.exec(letters.find(({ to }) => to === email)?.text ?? '')?.[1];
  if (code === undefined)
    throw new Error(`There is no code in the letter to ${email}. Does the address have an account already?`);
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

/** Makes somebody an administrator. */
export async function seedAdmin(
  engines: Engines,
  who: { email: string; displayName: string; handle: string },
): Promise<Seeded> {
  const seeded = await seedCreator(engines, who);
  await engines.database.work({ kind: 'system' }, (tx) => makeAdmin(tx, who.email));
  return seeded;
}

/** Puts picture files into a new album and waits until all are ready or failed. @returns the album's id */
export async function seedAlbum(
  engines: Engines,
  { caller, userId }: Seeded,
  name: string,
  files: readonly string[],
): Promise<string> {
  const album = await caller.albums.create({ name });
  const staging = stagingOf(engines.house.dataDir);
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  for (const file of files) {
    const id = newId(engines.clock());
    copyFileSync(file, path.join(staging, id));
    const now = new Date(engines.clock());
    const upload = {
      id,
      creatorId: userId,
      albumId: album.id,
      originalName: path.basename(file),
      sizeBytes: statSync(file).size,
      expiresAt: now,
      now,
    };
    const row = await engines.database.work({ kind: 'user', userId }, async (tx) => {
      await insertUpload(tx, upload);
      return findUpload(tx, id);
    });
    if (row === undefined) throw new Error('An upload vanished.');
    await adoptUpload(engines, row, undefined, now);
  }
  for (let tries = 0; tries < 1200; tries++) {
    const { pendingCount } = (await caller.albums.one({ albumId: album.id })).album;
    if (pendingCount === 0) return album.id;
    await wait(100);
  }
  throw new Error('The pictures were not ready within two minutes.');
}
