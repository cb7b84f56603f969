import { readRows } from './people.ts';
import type { TestApp } from './test-app.ts';

/** Opens everything that reports have closed, as if they had never been: links, albums, and what was held back. */
export async function openTakenDown(app: TestApp): Promise<void> {
  await readRows(app, 'delete from blocked_media');
  await readRows(app, 'delete from media_matches');
  await readRows(app, "update media set state = 'ready', fail_code = null where state = 'quarantined'");
  await readRows(app, 'update magic_links set taken_down_at = null');
  await readRows(app, 'update albums set taken_down_at = null');
}
