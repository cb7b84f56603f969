import { type SeededPhoto, seedAlbum, seedPhoto } from './media/pictures.ts';
import { must, type Person, signUpCreator } from './people.ts';
import type { TestApp } from './test-app.ts';
import { openViewerApi, type ViewerApi } from './viewer-api.ts';

/** A creator with an album of real photos, and a viewer app to open her links in. */
export interface SharedAlbum {
  viewerApi: ViewerApi;
  creator: Person;
  photos: SeededPhoto[];
  albumId: string;
  /** Makes a link; without an age gate unless the rules ask for one. */
  makeLink(rules?: object, more?: object): Promise<{ id: string; slug: string }>;
}

/** Signs a creator up and gives her photos to share. */
export async function shareAlbum(app: TestApp, { count = 2 } = {}): Promise<SharedAlbum> {
  const viewerApi = await openViewerApi(app);
  const creator = await signUpCreator(app);
  // A free user: tests turn the clock further than a trial lasts.
  await app.engines.database.work({ kind: 'system' }, ({ db }) =>
    db.updateTable('users').set({ is_free_user: true }).where('id', '=', creator.userId).execute(),
  );
  const photos: SeededPhoto[] = [];
  for (let n = 0; n < count; n++) photos.push(await seedPhoto(app, creator.userId));
  const albumId = await seedAlbum(
    app,
    creator.userId,
    photos.map(({ mediaId }) => mediaId),
  );
  const makeLink: SharedAlbum['makeLink'] = async (rules = {}, more = {}) => {
    const input = { albumIds: [albumId], rules: { ageGate: false, ...rules }, isLaxConfirmed: true, ...more };
    return must(app, 'links.create', input, creator.browser);
  };
  return { viewerApi, creator, photos, albumId, makeLink };
}

/** Returns how many rows viewers have left, by table. */
export async function countViewerRows(app: TestApp): Promise<Record<string, number>> {
  const tables = [
    'viewers',
    'viewer_devices',
    'grants',
    'link_viewers',
    'viewer_sessions',
    'key_leases',
    'deliveries',
    'view_events',
    'viewer_resume_codes',
    'gate_passes',
  ];
  return app.engines.database.work({ kind: 'system' }, async ({ client }) => {
    const counts: Record<string, number> = {};
    for (const table of tables)
      counts[table] = (await client.query(`select count(*)::int as n from ${table}`)).rows[0].n;
    return counts;
  });
}
