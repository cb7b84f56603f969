import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#kit/ids.ts';
import { addViewer, admitViewer } from '#tests/support/database/viewer-rows.ts';
import { seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { listLog } from '../log/log-store.ts';
import { listSealsFrom } from '../log/seals-store.ts';
import { listLinkNames, listNames, listPeople, listVisits } from './people-store.ts';
import { addsUp } from './time-ranges.ts';

let app: TestApp;
let creator: Person;
let mediaId: string;
let links: [crowded: string, quiet: string];
let now: Date;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  creator = await signUpCreator(app);
  now = new Date(app.engines.clock());
  ({ mediaId } = await seedPhoto(app, creator.userId, { side: 300 }));
  const albumId = await seedAlbum(app, creator.userId, [mediaId]);
  const make = async (linkName: string): Promise<string> => {
    const input = { albumIds: [albumId], linkName, rules: { ageGate: false }, isLaxConfirmed: true };
    return (await app.call('links.create', input, creator.browser)).body.id;
  };
  links = [await make('Crowded'), await make('Quiet')];
});
afterAll(() => app.close());

/** Somebody who is shown the photo through a link, so many seconds after the beginning. */
async function show(linkId: string, second: number): Promise<string> {
  const [grantId, viewerId] = [newId(now.getTime() + second), newId(now.getTime() + second)];
  const at = new Date(now.getTime() + 1000 * second);
  const { userId } = creator;
  await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
    await client.query('insert into viewers (id, created_at, last_seen_at) values ($1, $2, $2)', [viewerId, at]);
    await client.query(`insert into grants (id, kind, creator_id, created_at) values ($1, 'link', $2, $3)`, [
      grantId,
      userId,
      at,
    ]);
    await client.query('insert into viewer_pseudonyms (creator_id, viewer_id) values ($1, $2)', [userId, viewerId]);
    await client.query(
      `insert into link_viewers (id, link_id, viewer_id, creator_id, first_admitted_at, policy_version) values ($1, $2, $3, $4, $5, 1)`,
      [grantId, linkId, viewerId, userId, at],
    );
    await client.query(
      `insert into deliveries (grant_id, media_id, rendition, pack_id, creator_id, first_at, last_at) values ($1, $2, 'p2048', $1, $3, $4, $4)`,
      [grantId, mediaId, userId, at],
    );
  });
  return grantId;
}

const asCreator = <T>(ask: Parameters<typeof app.engines.database.work<T>>[1]) =>
  app.engines.database.work({ kind: 'user', userId: creator.userId }, ask);

describe('who was shown a photo', () => {
  it('is told of very many only in part, but never without who is named, and how many more there are', async () => {
    const [crowded, quiet] = links;
    for (let n = 0; n < 510; n++) await show(crowded, n);
    const [last, alone] = [await show(crowded, 900), await show(quiet, 950)];
    const shown = [{ mediaId, before: new Date(now.getTime() + 1_000_000), isMoving: false }];
    const named = { linkIds: links, grantIds: [last] };
    const reported = await asCreator((tx) => listPeople(tx, creator.userId, shown, named));
    const ofCrowded = reported.filter(({ linkId }) => linkId === crowded);
    expect([ofCrowded.length, ofCrowded[0]?.outOf, ofCrowded.at(-1)?.grantId]).toEqual([500, 511, last]);
    expect(reported.filter(({ linkId }) => linkId === quiet)).toMatchObject([{ grantId: alone, outOf: 1 }]);
    const everybody = await asCreator((tx) => listPeople(tx, creator.userId, shown));
    expect([everybody.length, everybody[0]?.outOf]).toEqual([500, 512]);
    // Who has seen it after the copy came has nothing to do with it.
    const before = [{ mediaId, before: new Date(now.getTime() + 900_000), isMoving: false }];
    expect((await asCreator((tx) => listPeople(tx, creator.userId, before)))[0]?.outOf).toBe(511);
    // And who was given its pictures only cannot have made a clip of it.
    const asClip = shown.map((item) => ({ ...item, isMoving: true }));
    expect(await asCreator((tx) => listPeople(tx, creator.userId, asClip))).toEqual([]);
    expect(await asCreator((tx) => listNames(tx, creator.userId, [last]))).toMatchObject([{ linkName: 'Crowded' }]);
    const names = await asCreator((tx) => listLinkNames(tx, creator.userId, links));
    expect(names.map(({ linkName }) => linkName).sort()).toEqual(['Crowded', 'Quiet']);
  });
});

describe('what is cut', () => {
  it('of a look at a video is what was played beyond fifty stretches, and it is counted; of a photo nothing is', async () => {
    const [, quiet] = links;
    const { grantId, visitId } = await admitViewer(app, { id: quiet }, await addViewer(app));
    /** One second of every two, so often. */
    const insertLook = (second: number, stretches: number | null, videoSeconds: number | null) =>
      readRows(
        app,
        `insert into view_events (kind, creator_id, link_id, visit_id, viewer_id, media_id, at, ms_visible, played, film_seconds)
         select 'look', creator_id, link_id, id, viewer_id, $2, $3, 9000,
           case when $4::int is not null then
             (select coalesce(range_agg(int4range(2 * n, 2 * n + 1)), '{}') from generate_series(0, $4::int - 1) n) end, $5
         from viewer_sessions where id = $1`,
        [visitId, mediaId, new Date(now.getTime() + 1000 * second), stretches, videoSeconds],
      );
    await insertLook(1, null, null);
    await insertLook(2, 0, 3600);
    await insertLook(3, 50, 3600);
    await insertLook(4, 1800, 3600);
    const [visit] = await asCreator((tx) => listVisits(tx, creator.userId, [grantId], [mediaId]));
    const reported = (visit?.looks ?? []).map(({ played }) => played);
    expect(reported.map((played) => played && [played.stretches.length, played.more, played.seconds])).toEqual([
      null,
      [0, 0, 0],
      [50, 0, 50],
      [50, 1750, 1800],
    ]);
    expect(reported[3]?.stretches.slice(0, 3)).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    expect(reported.flatMap((played) => played ?? []).every(addsUp)).toBe(true);
  });

  it('of the log is other traces, never a row of its own, and it is counted', async () => {
    const [traceId, { userId }] = [newId(now.getTime()), creator];
    await readRows(
      app,
      `insert into trace_log (at, creator_id, trace_id, kind, sha256, media_ids)
       select $1, $2, gen_random_uuid(), 'read', '', array[$3]::uuid[] from generate_series(1, 1100)`,
      [now, userId, mediaId],
    );
    for (const kind of ['uploaded', 'read'])
      await readRows(
        app,
        `insert into trace_log (at, creator_id, trace_id, kind, sha256) values ($1, $2, $3, $4, '')`,
        [now, userId, traceId, kind],
      );
    const log = await asCreator((tx) => listLog(tx, { creatorId: userId, traceId, mediaIds: [mediaId] }));
    expect([log.length, log[0]?.outOf, log.filter((row) => row.traceId === traceId).length]).toEqual([1000, 1102, 2]);
  });

  it('of the chain of seals is only what comes after those that are wanted', async () => {
    const { userId } = creator;
    await readRows(
      app,
      `insert into codeword_seals (creator_id, n, last_seq, hash, at) select $1, n, n, '', $2 from generate_series(1, 10100) n`,
      [userId, now],
    );
    const reach = async (ns: number[]) => {
      const chain = await asCreator((tx) => listSealsFrom(tx, userId, ns));
      return [chain.length, chain[0]?.n, chain.at(-1)?.n];
    };
    expect(await reach([3])).toEqual([10_000, 3, 10_002]);
    expect(await reach([10_050, 3])).toEqual([10_048, 3, 10_050]);
    expect(await reach([10_050])).toEqual([51, 10_050, 10_100]);
  });
});
