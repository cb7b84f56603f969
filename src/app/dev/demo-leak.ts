import { execFile } from 'node:child_process';
import { createReadStream, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { MagicLink } from '#features/links/contract.ts';
import { sealCodewords } from '#features/tracing/jobs.ts';
import { takeCopy } from '#features/tracing/take-copy.ts';
import type { Making } from './demo-making.ts';
import type { Shown } from './demo-screen.ts';
import type { SignedIn } from './seeding.ts';

const run = promisify(execFile);
/** An answer that takes longer comes by itself. */
const [lookMs, mostLooks] = [200, 600];

/** Returns whether a copy has been submitted. */
export const isTraced = async ({ caller }: SignedIn): Promise<boolean> =>
  (await caller.tracing.list({ limit: 1 })).traces.length > 0;

/** Saves what is on somebody's screen as a messenger does, and submits it as a leaked copy. */
export async function submitCopy(
  { engines, root, folder, creator, signal }: Making,
  { albums: [album] }: Pick<MagicLink, 'albums'>,
  { keys, pack }: Shown,
): Promise<void> {
  const files = ['pack', 'keys', 'copy.jpg'].map((name) => path.join(folder, name)) as [string, string, string];
  writeFileSync(files[0], pack);
  writeFileSync(files[1], keys);
  await run(process.execPath, [path.join(root, 'db/scenes/screenshot-child.ts'), ...files], { signal });
  // Codewords are sealed every minute: those of this week before anybody finds a copy.
  await sealCodewords(engines);
  const [, , copy] = files;
  const what = { creatorId: creator.userId, albumId: album?.id, sizeBytes: statSync(copy).size };
  await takeCopy(engines, { ...what, bytes: createReadStream(copy) });
}

/** Waits until every copy has its answer, for two minutes at most. */
export async function untilTraced({ creator, signal }: Making): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks++) {
    const { traces } = await creator.caller.tracing.list({});
    if (traces.every(({ state }) => state === 'done' || state === 'failed')) return;
    await wait(lookMs, undefined, { signal });
  }
}
