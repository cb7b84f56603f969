import { newId } from '#kit/ids.ts';
import { type Browser, type HouseInTest, newBrowser } from '#tests/support/house.ts';
import { confirmPerson, type Person, signUpCreator } from '#tests/support/people.ts';
import { seedAlbum, seedPhoto } from '#tests/support/pictures.ts';
import { openSalon, type Salon } from '#tests/support/salon.ts';

/** Everything that one creator has, by noun. */
export interface Things {
  album: string;
  medium: string;
  link: string;
  slug: string;
  visit: string;
  viewer: string;
  session: string;
  upload: string;
  packId: string;
}

/** Somebody who asks: a browser, whose things are hers, and what her account may do. */
export interface Asker {
  name: string;
  browser: Browser;
  /** Whose things are hers; nobody's for visitors and viewers. */
  owns: 'A' | 'B' | 'own' | undefined;
  /** Signed in, set up, with access: may call what creators may call. */
  may: 'creator' | 'signed-in' | 'visitor';
  /** Visits of these links are hers. */
  visits: 'A' | 'B' | undefined;
}

export interface World {
  house: HouseInTest;
  salon: Salon;
  a: { person: Person; things: Things };
  b: { person: Person; things: Things };
  viewerOfA: Browser;
  viewerOfB: Browser;
  askers: Asker[];
  /** New things of a creator, to be spent by a call that is allowed. */
  fresh(whose: 'A' | 'B'): Promise<Things>;
}

/** Words that stand in private columns of A and B and in no answer to anybody else. */
export const canaries = { A: 'canaryAAAA7qKx2mZ', B: 'canaryBBBB9wLp4nT' } as const;

async function makeThings(
  house: HouseInTest,
  salon: Salon,
  person: Person,
  whose: 'A' | 'B',
  viewer: Browser,
): Promise<Things> {
  const photo = await seedPhoto(house, person.userId, { side: 64 });
  const album = await seedAlbum(house, person.userId, [photo.mediaId], `Album ${canaries[whose]}`);
  const link = await house.call(
    'links.create',
    {
      albumIds: [album],
      linkName: 'A link',
      recipientName: 'Bob',
      note: canaries[whose],
      rules: { ageGate: false },
      isLaxConfirmed: true,
    },
    person.browser,
  );
  if (link.status !== 200) throw new Error(`links.create: ${link.status} ${JSON.stringify(link.body)}`);
  const opened = await salon.tap(link.body.slug, {}, viewer);
  const other = newBrowser();
  await house.call('accounts.signIn', { email: person.email, password: person.password }, other);
  const sessions = await house.call('accounts.listSessions', {}, person.browser);
  const session = sessions.body.sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  const upload = newId<'upload'>(house.engines.clock());
  const rows = await house.engines.database.work({ kind: 'system' }, async ({ db }) => {
    const now = new Date(house.engines.clock());
    await db
      .updateTable('media')
      .set({ original_name: `${canaries[whose]}.jpg` })
      .where('id', '=', photo.mediaId)
      .execute();
    await db
      .insertInto('uploads')
      .values({
        id: upload,
        creator_id: person.userId,
        album_id: album,
        original_name: canaries[whose],
        bytes: 10,
        expires_at: new Date(now.getTime() + 3_600_000),
        created_at: now,
      })
      .execute();
    return db
      .selectFrom('viewer_sessions')
      .select('viewer_id')
      .where('id', '=', opened.head.visitId)
      .executeTakeFirstOrThrow();
  });
  return {
    album,
    medium: photo.mediaId,
    link: link.body.id,
    slug: link.body.slug,
    visit: opened.head.visitId,
    viewer: rows.viewer_id,
    session: session.id,
    upload,
    packId: photo.packs.thumb512.packId,
  };
}

const copyOf = ({ cookies }: Browser): Browser => ({ ...newBrowser(), cookies: new Map(cookies) });

/** Two creators who know nothing of each other, their viewers, and everybody else who might ask. */
export async function makeWorld(house: HouseInTest): Promise<World> {
  const salon = await openSalon(house);
  const [anna, berta] = [await signUpCreator(house), await signUpCreator(house)];
  const [viewerOfA, viewerOfB] = [newBrowser(), newBrowser()];
  const a = { person: anna, things: await makeThings(house, salon, anna, 'A', viewerOfA) };
  const b = { person: berta, things: await makeThings(house, salon, berta, 'B', viewerOfB) };
  const forgedSession = newBrowser();
  const [name = '', value = ''] = [...anna.browser.cookies].find(([cookie]) => cookie.includes('session_token')) ?? [];
  forgedSession.cookies.set(name, `${decodeURIComponent(value).split('.')[0]}.${'A'.repeat(43)}%3D`);
  const forgedViewer = newBrowser();
  for (const cookie of viewerOfA.cookies.keys()) forgedViewer.cookies.set(cookie, 'A'.repeat(43));
  const leaving = await signUpCreator(house);
  const signedOut = copyOf(leaving.browser);
  await house.call('accounts.signOut', {}, leaving.browser);
  const halfway = await confirmPerson(house);
  const [lapsed, suspended, admin] = [
    await signUpCreator(house),
    await signUpCreator(house),
    await signUpCreator(house),
  ];
  await house.engines.database.work({ kind: 'system' }, async ({ db }) => {
    await db
      .updateTable('users')
      .set({ trial_ends_at: new Date(house.engines.clock() - 1000) })
      .where('id', '=', lapsed.userId)
      .execute();
    await db.updateTable('users').set({ status: 'suspended' }).where('id', '=', suspended.userId).execute();
    await db.insertInto('user_roles').values({ user_id: admin.userId, role: 'admin' }).execute();
  });
  const nobody = { owns: undefined, may: 'visitor', visits: undefined } as const;
  const askers: Asker[] = [
    { name: 'visitor', browser: newBrowser(), ...nobody },
    { name: 'forged session', browser: forgedSession, ...nobody },
    { name: 'forged viewer', browser: forgedViewer, ...nobody },
    { name: 'signed out', browser: signedOut, ...nobody },
    { name: 'creator A', browser: anna.browser, owns: 'A', may: 'creator', visits: undefined },
    { name: 'creator B', browser: berta.browser, owns: 'B', may: 'creator', visits: undefined },
    { name: 'before set-up', browser: halfway.browser, owns: 'own', may: 'signed-in', visits: undefined },
    { name: 'lapsed', browser: lapsed.browser, owns: 'own', may: 'signed-in', visits: undefined },
    { name: 'suspended', browser: suspended.browser, owns: 'own', may: 'signed-in', visits: undefined },
    { name: 'admin', browser: admin.browser, owns: 'own', may: 'creator', visits: undefined },
    { name: 'viewer of A', browser: viewerOfA, ...nobody, visits: 'A' },
    { name: 'viewer of B', browser: viewerOfB, ...nobody, visits: 'B' },
  ];
  const fresh = (whose: 'A' | 'B') =>
    makeThings(house, salon, whose === 'A' ? anna : berta, whose, whose === 'A' ? viewerOfA : viewerOfB);
  return { house, salon, a, b, viewerOfA, viewerOfB, askers, fresh };
}
