import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Engines } from '#engines/engines.ts';
import { countUsers } from '#features/accounts/store.ts';
import { writeSetting } from '#features/settings/store.ts';
import { seedAdmin, seedAlbum, seedCreator } from './seeding.ts';

const run = promisify(execFile);

/** Draws pictures into a folder, in a process of its own. @returns their files */
export async function drawPictures(root: string, folder: string, names: readonly string[]): Promise<string[]> {
  await run(process.execPath, [path.join(root, 'db/scenes/draw-child.ts'), folder, ...names]);
  return names.map((name) => path.join(folder, `${name}.jpg`));
}

/**
 * On the first start of a sandbox: a creator with two albums and three links, an admin, and a link to look at.
 * @returns what to print once; nothing when somebody lives here already
 */
export async function seedDemo(engines: Engines, root: string): Promise<string | undefined> {
  if ((await engines.database.work({ kind: 'system' }, countUsers)) > 0) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-demo-'));
  try {
    const golden = ['evening', 'shutters', 'petals', 'lamp', 'fronds', 'dunes', 'city', 'folds'];
    const calm = ['sea', 'linen', 'dunes', 'evening'];
    const [creator, drawn] = await Promise.all([
      seedCreator(engines, { email: 'creator@example.com', displayName: 'Ana', handle: 'ana' }),
      drawPictures(root, folder, [...new Set([...golden, ...calm])]),
    ]);
    const fileOf = (name: string) => drawn.find((file) => file.endsWith(`/${name}.jpg`)) ?? '';
    const admin = await seedAdmin(engines, { email: 'admin@example.com', displayName: 'Admin', handle: 'keeper' });
    const albumId = await seedAlbum(engines, creator, 'Golden hour', golden.map(fileOf));
    const seaId = await seedAlbum(engines, creator, 'Sea week', calm.map(fileOf));
    const { links } = creator.caller;
    const demo = await links.create({
      albumIds: [albumId],
      linkName: 'Demo',
      expiry: { kind: 'never' },
      welcomeText: 'Have a look around. Everything here was drawn by this installation.',
    });
    await links.create({ albumIds: [albumId], linkName: 'Bob', recipientName: 'Bob', recipientChannel: 'whatsapp' });
    await links.create({
      albumIds: [seaId],
      linkName: 'Lena',
      recipientName: 'Lena',
      recipientChannel: 'instagram',
      expiry: { kind: 'after', hours: 24 },
    });
    await engines.database.work({ kind: 'system' }, (tx) =>
      writeSetting(tx, { key: 'marketing.demoLinkSlug', value: demo.slug, by: null, now: new Date(engines.clock()) }),
    );
    return `
Demo, made now and printed once:
  creator   ${creator.email}   ${creator.password}
  admin     ${admin.email}     ${admin.password}
  viewer    ${demo.url}
`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
