import { readRow, readRows } from '../people.ts';
import type { TestApp } from '../test-app.ts';

/** An album is removed after a report, or only hidden until that is decided. */
export async function removeAlbum(
  app: TestApp,
  albumId: string,
  state: 'removed' | 'hidden' = 'removed',
): Promise<void> {
  const now = new Date(app.engines.clock());
  const { id } = await readRow<{ id: string }>(
    app,
    `insert into reports (id, number, kind, state, target, details, on_behalf, name, email, network, created_at, decide_by, decided_at, reason)
    select gen_random_uuid(), 10000000 + count(*), 'intimate', $2, '', 'It shows me.', 'self', 'Ana', 'ana@example.com', '', $1, $1,
      case $2 when 'removed' then $1::timestamptz end, case $2 when 'removed' then 'No consent.' end
    from reports returning id`,
    [now, state],
  );
  await readRows(app, 'insert into report_targets (report_id, album_id) values ($1, $2)', [id, albumId]);
  await readRows(app, 'update albums set taken_down_at = $2 where id = $1', [albumId, now]);
}
