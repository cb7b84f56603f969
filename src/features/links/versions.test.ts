import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { describeVersion } from './version-texts.ts';
import { LinkVersion } from './versions-contract.ts';

let app: TestApp;
let mia: Person;
let album: string;
const noon = '2026-11-21T12:00:00Z';

beforeAll(async () => {
  app = await openTestApp({ now: noon });
  mia = await signUpCreator(app);
  album = await addReadyAlbum(app, mia.userId);
});
afterAll(() => app.close());

const call = (procedure: string, input: unknown, { browser } = mia) => app.call(`links.${procedure}`, input, browser);
const make = async (input: object = {}) => (await call('create', { albumIds: [album], ...input })).body;
const update = async (linkId: string, input: object) =>
  expect((await call('update', { linkId, ...input })).status).toBe(200);
const historyOf = async (linkId: string, input: object = {}) => (await call('history', { linkId, ...input })).body;
const describeAll = ({ versions }: { versions: object[] }) =>
  versions.map((version) =>
    describeVersion(LinkVersion.parse(revive(version)), new Date(noon), { locale: 'en-GB', timeZone: 'UTC' }),
  );
/** Dates travel as text through the test's own door. */
const revive = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (key, each) =>
    (key === 'at' || key === 'expiresAt') && typeof each === 'string' ? new Date(each) : each,
  );

/** Writes the second version down as another hand than the API's would. */
const write = (
  linkId: string,
  { by, policy, expiresAt }: { by: string | null; policy: object; expiresAt: Date | null },
) =>
  app.engines.database.work({ kind: 'system' }, ({ db }) =>
    db
      .insertInto('link_policy_log')
      .values({
        link_id: linkId,
        version: 2,
        user_id: mia.userId,
        policy: JSON.stringify(policy),
        expires_at: expiresAt,
        by_user: by,
        at: new Date(noon),
      })
      .execute(),
  );

describe("the history of a link's rules", () => {
  it('tells each version newest first, a new password apart from one that stayed, and texts not at all', async () => {
    const { id } = await make({ password: 'sea glass' });
    await update(id, { rules: { maxVisits: 3 } });
    await update(id, { password: 'other glass' });
    await update(id, { linkName: 'Beach' });
    await update(id, { rules: {}, password: 'third glass', expiry: { kind: 'never' } });
    await update(id, { password: null });
    const history = await historyOf(id);
    expect(describeAll(history)).toEqual([
      ['Password removed'],
      ['Visits 3 → any number', 'Password changed', 'Ends 21 Dec → never'],
      ['Password changed'],
      ['Visits any number → 3'],
      ['Link created: free · password · until 21 Dec'],
    ]);
    expect(history.versions.map(({ by }: LinkVersion) => by)).toEqual(Array(5).fill('creator'));
    expect(history.hasMore).toBe(false);
    expect(JSON.stringify(history)).not.toMatch(/glass|argon/);
  });
  it('goes on where a page ended, each version with the one before it', async () => {
    const { id } = await make();
    for (const maxVisits of [1, 2, 3]) await update(id, { rules: { maxVisits } });
    const first = await historyOf(id, { limit: 2 });
    expect(describeAll(first)).toEqual([['Visits 2 → 3'], ['Visits 1 → 2']]);
    expect(first.hasMore).toBe(true);
    const second = await historyOf(id, { limit: 2, beforeVersion: first.versions[1].version });
    expect(describeAll(second)).toEqual([['Visits any number → 1'], [expect.stringMatching(/^Link created: /)]]);
    expect(second.hasMore).toBe(false);
  });
  it('tells versions from before passwords were counted, and what happened by itself', async () => {
    const { id, policy, expiresAt } = await make({ password: 'sea glass' });
    await write(id, { by: null, policy, expiresAt: new Date(expiresAt) });
    const [newest] = (await historyOf(id)).versions;
    expect(describeAll({ versions: [newest] })).toEqual([['Password changed']]);
    expect(newest.by).toBe('automatic');
  });
  it('says who it was when it was somebody else, and is nothing to another creator', async () => {
    const eve = await signUpCreator(app);
    const { id } = await make();
    await write(id, { by: eve.userId, policy: {}, expiresAt: null });
    expect((await historyOf(id)).versions[0].by).toBe('operator');
    expect((await call('history', { linkId: id }, eve)).status).toBe(404);
  });
});
