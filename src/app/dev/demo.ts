import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Engines } from '#engines/engines.ts';
import { countUsers, makeAdmin } from '#features/accounts/store.ts';
import { writeSetting } from '#features/settings/store.ts';
import { agoMs, makeWeek } from './demo-week.ts';
import { linkOnce, type Seeded, seedAgain, seedAlbum } from './seeding.ts';

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

const creatorEmail = 'creator@example.com';
const golden = ['evening', 'shutters', 'petals', 'lamp', 'fronds', 'dunes', 'city', 'folds'];
const calm = ['sea', 'linen', 'dunes', 'evening'];

/** What is still to be made of a demo that was broken off. */
type Rest = 'all' | 'week';
const markOf = ({ installation }: Engines) => path.join(installation.dataDir, 'demo-unfinished');
const markWords: Record<Rest, string> = {
  all: 'The next start of a sandbox finishes the demo.\n',
  week: 'The next start of a sandbox finishes the week that goes by in the demo.\n',
};

/** @returns nothing where no demo is under way */
function restOf(engines: Engines): Rest | undefined {
  const mark = markOf(engines);
  if (!existsSync(mark)) return undefined;
  return readFileSync(mark, 'utf8') === markWords.week ? 'week' : 'all';
}

type Say = (words: string) => void;

/**
 * On the first start of a sandbox: a creator with two albums and three links, an admin, and a link to look at. A demo that was
 * broken off is finished by the next start. The week that goes by in it is another step: `seedWeek`.
 * @param signal breaks it off, between two steps
 * @param say hears what to print before that, where it takes long
 * @returns what to print once; nothing when somebody lives here already
 * @throws when it was broken off
 */
export async function seedDemo(
  engines: Engines,
  root: string,
  signal?: AbortSignal,
  say: Say = () => undefined,
): Promise<string | undefined> {
  const rest = restOf(engines);
  if (rest === 'week') return undefined;
  if (rest === undefined && (await engines.database.work({ kind: 'system' }, countUsers)) > 0) return undefined;
  writeFileSync(markOf(engines), markWords.all);
  return withFolder(async (folder) => {
    const draw = (names: readonly string[]) => drawPictures(root, folder, names, signal);
    const words = await makeDemo(engines, draw, { signal, say });
    writeFileSync(markOf(engines), markWords.week);
    return words;
  });
}

/**
 * Lets a week go by in a demo that has just been made, or goes on with one that was broken off.
 * @param signal breaks it off, between two steps
 * @throws when it was broken off
 */
export async function seedWeek(engines: Engines, root: string, signal?: AbortSignal): Promise<void> {
  if (restOf(engines) !== 'week') return;
  await withFolder((folder) => makeWeek(engines, creatorEmail, { root, folder, signal }));
  rmSync(markOf(engines));
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-demo-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The same for a start, which nothing of the demo may end: what failed is said, and the next start goes on from there.
 * @param say hears what to print, as soon as it is true
 */
export async function trySeedDemo(engines: Engines, root: string, say: Say, signal?: AbortSignal): Promise<void> {
  try {
    const words = await seedDemo(engines, root, signal, say);
    if (words !== undefined) say(words);
    await seedWeek(engines, root, signal);
  } catch (error) {
    if (signal?.aborted) return;
    engines.log.info({ err: error }, 'the demo was not made');
    const [what] = String(error instanceof Error ? error.message : error).split('\n');
    say(`The demo could not be created: ${what}. The next start will try again.`);
  }
}

async function makeDemo(
  engines: Engines,
  draw: (names: readonly string[]) => Promise<string[]>,
  { signal, say }: { signal: AbortSignal | undefined; say: Say },
): Promise<string> {
  const drawing = draw([...new Set([...golden, ...calm])]);
  const signingUp = seedAgain(engines, { email: creatorEmail, displayName: 'Ana', handle: 'ana' });
  // Both are over before anything else happens, also when one of them fails.
  await Promise.allSettled([drawing, signingUp]);
  const [creator, drawn] = [await signingUp, await drawing];
  const filesOf = (names: readonly string[]) =>
    names.map((name) => drawn.find((file) => file.endsWith(`/${name}.jpg`)) ?? '');
  signal?.throwIfAborted();
  const admin = await seedAgain(engines, { email: 'admin@example.com', displayName: 'Admin', handle: 'operator' });
  await engines.database.work({ kind: 'system' }, (tx) => makeAdmin(tx, admin.email));
  const accounts = describeAccounts(creator, admin);
  const fill = openFilling(engines, creator, { signal, say, accounts });
  try {
    const [nowMs, now] = [engines.clock(), new Date(engines.clock())];
    const at = new Date(nowMs - agoMs.albums);
    const albumId = await fill({ name: 'Golden hour', files: filesOf(golden), at });
    const seaId = await fill({ name: 'Sea week', files: filesOf(calm), at });
    signal?.throwIfAborted();
    const demo = await seedLinks(creator, nowMs, albumId, seaId);
    await engines.database.work({ kind: 'system' }, (tx) =>
      writeSetting(tx, { key: 'marketing.demoLinkSlug', value: demo.slug, by: null, now }),
    );
    return `${accounts}  viewer    ${demo.url}\n`;
  } catch (error) {
    // Whoever cannot have the demo can still look around.
    if (!signal?.aborted) say(accounts);
    throw error;
  }
}

const describeAccounts = (creator: Seeded, admin: Seeded) => `
Demo accounts, shown only once:
  creator   ${creator.email}   ${creator.password}
  admin     ${admin.email}     ${admin.password}   (sets up two-step sign-in first)
`;

/** Fills albums, and says what is waited for where that takes long: its accounts can be used meanwhile. */
function openFilling(
  engines: Engines,
  creator: Seeded,
  { signal, say, accounts }: { signal: AbortSignal | undefined; say: Say; accounts: string },
) {
  let isSaid = false;
  return ({ name, files, at }: { name: string; files: readonly string[]; at: Date }) => {
    const onWaiting = (done: number) => {
      if (!isSaid)
        say(`${accounts}The link to look at follows: this machine needs longer than usual for the demo's pictures.\n`);
      isSaid = true;
      say(`Still working on “${name}”: ${done} of ${files.length} pictures are done.`);
    };
    return seedAlbum(engines, creator, { name, files, at, signal, onWaiting });
  };
}

/** @returns the link that visitors may look at */
async function seedLinks(creator: Seeded, nowMs: number, albumId: string, seaId: string) {
  const ago = (ms: number) => new Date(nowMs - ms);
  const demo = await linkOnce(creator, ago(agoMs.demo), {
    albumIds: [albumId],
    linkName: 'Demo',
    expiry: { kind: 'never' },
    welcomeText: 'Have a look around. All pictures are generated samples.',
  });
  const bob = { linkName: 'Bob', recipientName: 'Bob', recipientChannel: 'whatsapp' } as const;
  await linkOnce(creator, ago(agoMs.bob), { ...bob, albumIds: [albumId] });
  const lena = { linkName: 'Lena', recipientName: 'Lena', recipientChannel: 'instagram' } as const;
  await linkOnce(creator, ago(agoMs.lena), { ...lena, albumIds: [seaId], expiry: { kind: 'after', hours: 24 } });
  return demo;
}
