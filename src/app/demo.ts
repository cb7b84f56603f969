import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Engines } from '#engines/engines.ts';
import { countUsers, makeAdmin } from '#features/accounts/store.ts';
import { writeSetting } from '#features/settings/store.ts';
import { type Seeded, seedAgain, seedAlbum } from './seeding.ts';

const run = promisify(execFile);

/** Draws pictures into a folder, in a process of its own. @returns their files */
export async function drawPictures(
  root: string,
  folder: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  await run(process.execPath, [path.join(root, 'db/scenes/draw-child.ts'), folder, ...names], { signal });
  return names.map((name) => path.join(folder, `${name}.jpg`));
}

const golden = ['evening', 'shutters', 'petals', 'lamp', 'fronds', 'dunes', 'city', 'folds'];
const calm = ['sea', 'linen', 'dunes', 'evening'];

/**
 * On the first start of a sandbox: a creator with two albums and three links, an admin, and a link to look at. A demo that was
 * broken off is finished by the next start.
 * @param signal breaks it off, between two steps
 * @returns what to print once; nothing when somebody lives here already
 * @throws when it was broken off
 */
export async function seedDemo(engines: Engines, root: string, signal?: AbortSignal): Promise<string | undefined> {
  const unfinished = path.join(engines.installation.dataDir, 'demo-unfinished');
  if (!existsSync(unfinished) && (await engines.database.work({ kind: 'system' }, countUsers)) > 0) return undefined;
  writeFileSync(unfinished, 'The next start of a sandbox finishes the demo.\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-demo-'));
  try {
    const words = await makeDemo(engines, (names) => drawPictures(root, folder, names, signal), signal);
    rmSync(unfinished);
    return words;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The same for a start, which nothing of the demo may end: what failed is said, and the next start goes on from there.
 * @returns what to print, if anything
 */
export async function trySeedDemo(engines: Engines, root: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    return await seedDemo(engines, root, signal);
  } catch (error) {
    if (signal?.aborted) return undefined;
    engines.log.info({ err: error }, 'the demo was not made');
    const [what] = String(error instanceof Error ? error.message : error).split('\n');
    return `The demo could not be created: ${what}. The next start will try again.`;
  }
}

async function makeDemo(
  engines: Engines,
  draw: (names: readonly string[]) => Promise<string[]>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const drawing = draw([...new Set([...golden, ...calm])]);
  const signingUp = seedAgain(engines, { email: 'creator@example.com', displayName: 'Ana', handle: 'ana' });
  // Both are over before anything else happens, also when one of them fails.
  await Promise.allSettled([drawing, signingUp]);
  const [creator, drawn] = [await signingUp, await drawing];
  const filesOf = (names: readonly string[]) =>
    names.map((name) => drawn.find((file) => file.endsWith(`/${name}.jpg`)) ?? '');
  signal?.throwIfAborted();
  const admin = await seedAgain(engines, { email: 'admin@example.com', displayName: 'Admin', handle: 'keeper' });
  await engines.database.work({ kind: 'system' }, (tx) => makeAdmin(tx, admin.email));
  const albumId = await seedAlbum(engines, creator, { name: 'Golden hour', files: filesOf(golden), signal });
  const seaId = await seedAlbum(engines, creator, { name: 'Sea week', files: filesOf(calm), signal });
  signal?.throwIfAborted();
  const demo = await seedLinks(creator, albumId, seaId);
  const now = new Date(engines.clock());
  await engines.database.work({ kind: 'system' }, (tx) =>
    writeSetting(tx, { key: 'marketing.demoLinkSlug', value: demo.slug, by: null, now }),
  );
  return `
Demo accounts, shown only once:
  creator   ${creator.email}   ${creator.password}
  admin     ${admin.email}     ${admin.password}
  viewer    ${demo.url}
`;
}

/** @returns the link that visitors may look at */
async function seedLinks({ caller: { links } }: Seeded, albumId: string, seaId: string) {
  const there = (await links.list({})).links;
  const once = async (input: Parameters<typeof links.create>[0]) =>
    there.find(({ linkName }) => linkName === input.linkName) ?? links.create(input);
  const demo = await once({
    albumIds: [albumId],
    linkName: 'Demo',
    expiry: { kind: 'never' },
    welcomeText: 'Have a look around. All pictures are generated samples.',
  });
  await once({ albumIds: [albumId], linkName: 'Bob', recipientName: 'Bob', recipientChannel: 'whatsapp' });
  await once({
    albumIds: [seaId],
    linkName: 'Lena',
    recipientName: 'Lena',
    recipientChannel: 'instagram',
    expiry: { kind: 'after', hours: 24 },
  });
  return demo;
}
