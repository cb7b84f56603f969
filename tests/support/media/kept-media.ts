import { expect, vi } from 'vitest';
import { readRows } from '../people.ts';
import type { TestApp } from '../test-app.ts';

interface MediumRow {
  id: string;
  state: string;
  progress: number;
  original_path: string;
  thumbhash: string | null;
  removed: string[];
}

/** What the database keeps of one file. */
export const mediumOf = async (app: TestApp, id: string): Promise<MediumRow | undefined> =>
  (await readRows<MediumRow>(app, 'select * from media where id = $1', [id]))[0];

/** Waits until a file is ready, has failed or is held back. */
export const whenEnded = (app: TestApp, id: string): Promise<MediumRow | undefined> =>
  vi.waitFor(
    async () => {
      const medium = await mediumOf(app, id);
      expect(['ready', 'failed', 'quarantined']).toContain(medium?.state);
      return medium;
    },
    { timeout: 300_000, interval: 100 },
  );

/** What lies in storage for one file. */
export async function filesOf({ engines }: TestApp, id: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of engines.storage.list(`media/${id}/`)) files.push(file);
  return files;
}
