import { blockViewer } from '#tests/support/database/viewer-rows.ts';
import { seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import {
  confirmPerson,
  makeAdministrator,
  must,
  type Person,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, elsewhere, newBrowser, type TestApp } from '#tests/support/test-app.ts';
import type { AdminScope } from '#wire/promise.ts';
import { canaries, type Letter, type Owner } from './owners.ts';
import type { Stage } from './things.ts';

/** Somebody who asks: a browser, whose things are hers, and what her account may do. */
export interface Actor {
  name: string;
  browser: Browser;
  /** Whose things are hers; nobody's for visitors and viewers. */
  owns: Letter | 'own' | undefined;
  /** Signed in, set up, with access: may call what creators may call; an administrator also what only those may; lapsed is all of it but the plan. */
  may: 'creator' | 'admin' | 'lapsed' | 'signed-in' | 'visitor';
  /** What an administrator may do; `owner` where it is left out. */
  scopes?: readonly AdminScope[];
  /** Only asked what administrators are asked. */
  isOnlyAtDesk?: true;
  /** Visits of these links are hers. */
  visits: Letter | undefined;
  /** A visit to a link of A that was hers, whose right has ended. */
  endedVisit?: string;
  /** Another session of the same account, said in the same way; nobody's without an account. */
  signIn?: () => Promise<Browser>;
}

/** Nothing is hers and she may do what everybody may. */
export const nobody = { owns: undefined, may: 'visitor', visits: undefined } as const;
/** Somebody of whom it is not known that anything is theirs. */
export const asStranger = (actor: Actor): Actor => ({ ...actor, ...nobody });

const isSessionCookie = ([name]: [string, string]) => name.includes('session_token');
const byBearer = (said: string) => newBrowser({ authorization: `Bearer ${said}` });
/** The session of a browser as a program says it. */
const tokenOf = ({ cookies }: Browser) => decodeURIComponent([...cookies].find(isSessionCookie)?.[1] ?? '');

/** Cookies of others, with a word of one's own in them. */
const forge = (cookies: readonly [name: string, value: string][], word: string): Browser => ({
  ...newBrowser(),
  cookies: new Map(cookies.map(([name]) => [name, word])),
});
const unsigned = (token: string) => `${token.split('.')[0]}.${'A'.repeat(43)}=`;

/** Two creators who know nothing of each other with their viewers, and everybody else who might ask. */
export async function makeActors(stage: Stage, a: Owner, b: Owner): Promise<Actor[]> {
  const { app } = stage;
  const again = ({ userId }: { userId: string }) => ({ signIn: () => signInQuickly(app, userId) });
  const creator = ({ whose, person }: Owner) =>
    ({ browser: person.browser, owns: whose, may: 'creator', visits: undefined, ...again(person) }) as const;
  const viewer = ({ whose, viewer: browser }: Owner) => ({ browser, ...nobody, visits: whose }) as const;
  const own = (person: Pick<Person, 'browser' | 'userId'>) =>
    ({ browser: person.browser, owns: 'own', may: 'signed-in', visits: undefined, ...again(person) }) as const;
  const [accounts, viewers] = await Promise.all([makeAccounts(app), makeViewers(stage, a.person)]);
  const token = tokenOf(a.person.browser);
  const [session, visits] = [[...a.person.browser.cookies].filter(isSessionCookie), [...a.viewer.cookies]];
  return [
    { name: 'visitor', browser: newBrowser(), ...nobody },
    { name: 'forged session', browser: forge(session, encodeURIComponent(unsigned(token))), ...nobody },
    { name: 'forged viewer', browser: forge(visits, 'A'.repeat(43)), ...nobody },
    { name: 'signed out', browser: accounts.signedOut, ...nobody },
    { name: 'creator A', ...creator(a) },
    {
      name: 'creator A by bearer token',
      ...creator(a),
      browser: byBearer(token),
      signIn: async () => byBearer(tokenOf(await signInQuickly(app, a.person.userId))),
    },
    { name: 'forged bearer token', browser: byBearer(unsigned(token)), ...nobody },
    { name: 'unconfirmed', browser: accounts.unconfirmed, ...nobody },
    { name: 'creator B', ...creator(b) },
    { name: 'before set-up', ...own(accounts.halfway) },
    { name: 'lapsed', ...own(accounts.lapsed), may: 'lapsed' },
    { name: 'suspended', ...own(accounts.suspended) },
    { name: 'admin', ...own(accounts.admin), may: 'admin' },
    { name: 'viewer of A', ...viewer(a) },
    { name: 'viewer of B', ...viewer(b) },
    ...viewers,
  ];
}

/** Accounts in which something is missing, and an administrator's. */
async function makeAccounts(app: TestApp) {
  const unconfirmed = newBrowser();
  const [halfway, leaving, lapsed, suspended, admin] = await Promise.all([
    confirmPerson(app),
    signUpCreator(app),
    signUpCreator(app),
    signUpCreator(app),
    signUpCreator(app),
    must(app, 'accounts.signUp', { email: 'unconfirmed@example.com', isAdult: true }, unconfirmed),
  ]);
  const signedOut = elsewhere(leaving.browser);
  await must(app, 'accounts.signOut', {}, leaving.browser);
  const ended = new Date(app.engines.clock() - 1000);
  await readRows(app, 'update users set trial_ends_at = $2 where id = $1', [lapsed.userId, ended]);
  await readRows(app, `update users set status = 'suspended' where id = $1`, [suspended.userId]);
  await makeAdministrator(app, admin);
  return { unconfirmed, halfway, signedOut, lapsed, suspended, admin };
}

/** Viewers of links of A to another album of hers: one whose right is good, and one for each way in which it ends. */
async function makeViewers({ app, viewerApi }: Stage, { browser, userId }: Person): Promise<Actor[]> {
  const { mediaId } = await seedPhoto(app, userId, { side: 64 });
  const album = await seedAlbum(app, userId, [mediaId], `Other ${canaries.A}`);
  const now = new Date(app.engines.clock());
  const ends: Record<string, (link: string, visit: string) => Promise<unknown>> = {
    'viewer whose link expired': (link) =>
      readRows(app, 'update magic_links set expires_at = $2 where id = $1', [link, now]),
    'viewer whose link is revoked': (link) => must(app, 'links.revoke', { linkIds: [link] }, browser),
    'viewer who is blocked': (_, visit) => blockViewer(app, visit),
  };
  const viewers: Actor[] = [];
  for (const name of ['viewer of another link of A', ...Object.keys(ends)]) {
    const input = { albumIds: [album], rules: { ageGate: false }, isLaxConfirmed: true };
    const { id, slug } = await must(app, 'links.create', input, browser);
    const viewer = newBrowser();
    const { visitId } = (await viewerApi.tap(slug, {}, viewer)).head;
    await ends[name]?.(id, visitId);
    viewers.push({ name, browser: viewer, ...nobody, ...(name in ends && { endedVisit: visitId }) });
  }
  return viewers;
}
