import { createHash } from 'node:crypto';
import { newId } from '#kit/ids.ts';
import { readRow, readRows } from '../people.ts';
import type { TestApp } from '../test-app.ts';

/** A viewer's browser as rows: for tests of decisions that need no door, no gate and no bytes. */
export interface ViewerInTest {
  secret: string;
  viewerId: string;
  deviceId: string;
}

/** Returns how the secret of a viewer's cookie is stored. */
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

let browsers = 0;
/** A browser with a viewer's cookie, as its first passed gate makes it. */
export async function addViewer(
  app: TestApp,
  viewer: { age?: Date | null; viewerId?: string } = {},
): Promise<ViewerInTest> {
  const now = new Date(app.engines.clock());
  const secret = `secret ${++browsers}`;
  const viewerId = viewer.viewerId ?? newId<'viewer'>(now.getTime());
  const deviceId = newId<'device'>(now.getTime());
  await app.engines.database.work({ kind: 'system' }, async ({ db }) => {
    if (viewer.viewerId === undefined)
      await db
        .insertInto('viewers')
        .values({
          id: viewerId,
          age_confirmed_at: viewer.age === undefined ? now : viewer.age,
          created_at: now,
          last_seen_at: now,
        })
        .execute();
    await db
      .insertInto('viewer_devices')
      .values({
        id: deviceId,
        viewer_id: viewerId,
        secret_hash: hashOf(secret),
        first_seen_at: now,
        last_seen_at: now,
      })
      .execute();
  });
  return { secret, viewerId, deviceId };
}
/** Lets a viewer in and begins a visit, as rows. */
export async function admitViewer(
  app: TestApp,
  link: { id: string },
  viewer: ViewerInTest,
  more: { grantId?: string; beat?: Date } = {},
) {
  const now = new Date(app.engines.clock());
  const grantId = more.grantId ?? newId<'grant'>(now.getTime());
  const visitId = newId<'visit'>(now.getTime());
  await app.engines.database.work({ kind: 'system' }, async ({ db }) => {
    const { user_id: creatorId } = await db
      .selectFrom('magic_links')
      .select('user_id')
      .where('id', '=', link.id)
      .executeTakeFirstOrThrow();
    if (more.grantId === undefined) {
      const grant = { id: grantId, kind: 'link', creator_id: creatorId, created_at: now } as const;
      await db.insertInto('grants').values(grant).execute();
      const known = { creator_id: creatorId, viewer_id: viewer.viewerId };
      await db
        .insertInto('viewer_pseudonyms')
        .values(known)
        .onConflict((of) => of.doNothing())
        .execute();
      await db
        .insertInto('link_viewers')
        .values({
          id: grantId,
          link_id: link.id,
          ...known,
          first_admitted_at: now,
          first_view_at: now,
          watched_ms: 0,
          visits: 1,
          policy_version: 1,
        })
        .execute();
    }
    await db
      .insertInto('viewer_sessions')
      .values({
        id: visitId,
        admission_id: grantId,
        link_id: link.id,
        creator_id: creatorId,
        viewer_id: viewer.viewerId,
        device_id: viewer.deviceId,
        link_policy_version: 1,
        state: 'open',
        decision_via: 'free',
        started_at: now,
        last_beat_at: more.beat ?? now,
        last_input_at: now,
        location_source: 'unknown',
      })
      .execute();
  });
  return { grantId, visitId };
}

/** The id by which a creator knows a viewer. @param creatorId may be left out where the viewer has come to one creator only */
export async function pseudonymOf(app: TestApp, viewerId: string, creatorId?: string): Promise<string> {
  const text = 'select id from viewer_pseudonyms where viewer_id = $1 and ($2::uuid is null or creator_id = $2)';
  return (await readRow<{ id: string }>(app, text, [viewerId, creatorId ?? null])).id;
}

/** Blocks the viewer of a visit, without a word to their screens. */
export const blockViewer = (app: TestApp, visitId: string) =>
  readRows(
    app,
    'insert into viewer_blocks (creator_id, viewer_id, at) select creator_id, viewer_id, $2 from viewer_sessions where id = $1',
    [visitId, new Date(app.engines.clock())],
  );
