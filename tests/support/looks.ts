import { randomBytes } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import { insertAdmission, keepViewer } from '#features/viewing/opening/admissions-store.ts';
import { saveMovingHeartbeat } from '#features/viewing/visits/renewals-store.ts';
import { endVisit, insertVisit } from '#features/viewing/visits-store.ts';
import { newId } from '#kit/ids.ts';
import type { TestApp } from './test-app.ts';

/** A visit as a test describes it: who, by which link, from where, and what was looked at for how long. */
export interface VisitInTest {
  linkId: string;
  creatorId: string;
  /** The same person as in another visit; left out for somebody new. */
  viewer?: Guest;
  at: Date;
  /** Pictures in order, each with its milliseconds. */
  looks?: { mediaId: string; ms: number; played?: [number, number][] }[];
  /** The picture that stays open. */
  lookingAt?: string;
  lookMs?: number;
  country?: string;
  isCountryEstimated?: boolean;
  app?: string;
  system?: string;
  suspect?: 'own' | 'automation';
  /** How it ends; left out, the screen stays open. */
  end?: 'left' | 'revoked';
}

/** Somebody who came by a link. */
export interface Guest {
  viewerId: string;
  deviceId: string;
  /** The admission to each link. */
  grants: Map<string, string>;
}
export interface Came {
  visitId: string;
  viewer: Guest;
}

/** Lets somebody look, by the same rows and statements as a real screen; its bytes are never asked for. */
export async function comeBy({ engines }: Pick<TestApp, 'engines'>, visit: VisitInTest): Promise<Came> {
  const { at, looks = [], lookingAt, lookMs = 0, suspect } = visit;
  const ms = looks.reduce((sum, look) => sum + look.ms, lookMs);
  const now = new Date(at.getTime() + ms);
  const came = await engines.database.work({ kind: 'system' }, (tx) => begin(tx, visit));
  const { visitId, viewer } = came;
  const grantId = viewer.grants.get(visit.linkId) ?? '';
  if (ms > 0 || lookingAt !== undefined)
    await saveMovingHeartbeat(engines.database, {
      visitId,
      grantId,
      lastHeartbeatAt: at,
      now,
      lastInputAt: now,
      creditMs: ms,
      creatorId: visit.creatorId,
      linkId: visit.linkId,
      gone: [],
      closed: looks,
      current: { mediaId: lookingAt, lookMs },
      becomesView: suspect === undefined && [...looks, { ms: lookMs }].some((look) => look.ms >= 2000),
    });
  if (visit.end !== undefined) {
    const state = visit.end === 'revoked' ? 'cut' : 'closed';
    await endVisit(engines.database, { visitId, state, reason: visit.end, now, closesScreen: state === 'cut' });
  }
  return came;
}

async function begin(tx: Tx, visit: VisitInTest): Promise<Came> {
  const { linkId, creatorId, at, suspect, country, isCountryEstimated = false, app, system = 'iPhone' } = visit;
  const viewer = visit.viewer ?? { viewerId: newId(at.getTime()), deviceId: newId(at.getTime()), grants: new Map() };
  const { viewerId, deviceId } = viewer;
  const device = { browser: 'Safari', system, inApp: app, country, timeZone: undefined, screen: undefined };
  await keepViewer(tx, { viewerId, deviceId, secretHash: randomBytes(32), ...device }, true, at);
  const about = { linkId, creatorId, viewerId, policyVersion: 1, now: at };
  const grantId = viewer.grants.get(linkId) ?? newId(at.getTime());
  if (!viewer.grants.has(linkId)) {
    const resumeCode = { id: newId(at.getTime()), hash: randomBytes(32), expiresAt: new Date(at.getTime() + 1000) };
    const admission = { ...about, grantId, commitment: randomBytes(32), places: undefined, resumeCode };
    await insertAdmission(tx, { ...admission, isOwn: suspect === 'own' });
    viewer.grants.set(linkId, grantId);
  }
  const visitId = newId<'visit'>(at.getTime());
  const source = country === undefined ? 'unknown' : isCountryEstimated ? 'timezone' : 'ip';
  await insertVisit(tx, {
    ...about,
    visitId,
    grantId,
    deviceId,
    via: 'free',
    suspect,
    maxConcurrent: 100,
    place: { ...(country !== undefined && { country }), source },
    inApp: app,
    browser: 'Safari',
    system,
    aliveSince: new Date(at.getTime() - 40_000),
    continuableSince: at,
  });
  return { visitId, viewer };
}

/** An album of ready photos, as rows: they can be listed and looked at, but have no bytes. */
export async function addPhotos(
  { engines }: Pick<TestApp, 'engines'>,
  userId: string,
  count: number,
): Promise<{ albumId: string; mediaIds: string[] }> {
  const now = new Date(engines.clock());
  const albumId = newId<'album'>(now.getTime());
  const mediaIds = Array.from({ length: count }, () => newId<'medium'>(now.getTime()));
  const thumbhash = Buffer.from('1QcSHQRnh493V4dIh4eXh1h4kJUI', 'base64');
  await engines.database.work({ kind: 'system' }, async ({ db }) => {
    const album = {
      id: albumId,
      user_id: userId,
      name: 'Golden hour',
      state: 'ready',
      created_at: now,
      people_consent: 'only_me',
      people_said_at: now,
    } as const;
    await db.insertInto('albums').values(album).execute();
    for (const [position, id] of mediaIds.entries()) {
      const size = { bytes: 1000, width: 640, height: 480, thumbhash };
      const photo = {
        id,
        creator_id: userId,
        kind: 'photo',
        state: 'ready',
        original_name: 'one.jpg',
        ...size,
      } as const;
      await db
        .insertInto('media')
        .values({ ...photo, sha256: Buffer.alloc(32, 1), created_at: now })
        .execute();
      const item = { album_id: albumId, media_id: id, user_id: userId, position, added_at: now };
      await db.insertInto('album_items').values(item).execute();
    }
  });
  return { albumId, mediaIds };
}
