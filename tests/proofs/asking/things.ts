import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { mostOpenPasses } from '#features/links/pass-rules.ts';
import { hashPassToken, passTokenOf } from '#features/links/passes.ts';
import { insertPass } from '#features/links/passes-store.ts';
import { insertPreset } from '#features/links/presets/presets-store.ts';
import { encryptOriginal } from '#features/media/original.ts';
import { insertTier, listTiers, stopTier } from '#features/orders/fan-tiers-store.ts';
import { insertFanPass } from '#features/orders/fans-store.ts';
import { keepBuyer } from '#features/orders/orders-store.ts';
import { keepSettings } from '#features/requests/asking-store.ts';
import { insertRequest, noteEvent } from '#features/requests/store.ts';
import { putTraceFile } from '#features/tracing/progress/trace-files.ts';
import { findTraceKey } from '#features/tracing/store.ts';
import { takeCopy } from '#features/tracing/take-copy.ts';
import type { TraceResult } from '#features/tracing/verdict/result.ts';
import { newId } from '#kit/ids.ts';
import { type SeededPhoto, seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import { seedVideo } from '#tests/support/media/videos.ts';
import { must, openSession, readRows } from '#tests/support/people.ts';
import type { Browser, TestApp } from '#tests/support/test-app.ts';
import type { ViewerApi } from '#tests/support/viewer-api.ts';
import { makeAccess, makeAgreement } from './make-access.ts';
import { makeCoPerformer } from './make-co-performer.ts';
import { makeExport } from './make-export.ts';
import { makeOrder } from './make-order.ts';
import { makePack } from './make-pack.ts';
import { makePasskey } from './make-passkey.ts';
import { canaries, type Owner } from './owners.ts';

/** What one creator has: an album with a photo and a video beside it, of which the larger rung; another one with nothing in it; a link. */
export const nouns = [
  ...(['album', 'spareAlbum', 'medium', 'packId', 'video', 'trackId', 'link', 'slug'] as const),
  ...(['visit', 'viewer', 'session', 'upload', 'trace', 'order', 'tier', 'fan', 'pass', 'preset'] as const),
  ...(['pack', 'request', 'access', 'agreement', 'securityEvent', 'passkey', 'coPerformer', 'export'] as const),
] as const;
/** Ids that calls take. `viewer` is the one by which this creator knows them; `viewerRow` their own, which no call takes. */
export type Ids = Record<(typeof nouns)[number] | 'viewerRow', string>;

/** What a viewer is lent of a photo and a video. */
export interface Lent {
  lease: string;
  /** The end of the address at which the picture stands. */
  tag: string;
  leaseToken: string;
  videoToken: string;
}

/** Ids with what raw routes take besides; whoever has less of it asks with something made up. */
export interface Things extends Ids, Partial<Lent> {
  /** A file that becomes a picture of a person. */
  picture?: Buffer;
  glass?: string;
  email?: string;
}

/** Where everything happens. */
export interface Stage {
  app: TestApp;
  viewerApi: ViewerApi;
}

/**
 * Things of a creator, and a visit to them.
 * @param standing what she has already: only what has one of these nouns is made again, with an album and a link around it
 */
export async function makeThings(
  { app, viewerApi }: Stage,
  owner: Owner,
  standing?: { ids: Ids; nouns: ReadonlySet<string> },
): Promise<Ids> {
  const { person, viewer, whose } = owner;
  const word = canaries[whose];
  const have = (...nouns: (keyof Ids)[]) =>
    nouns.some((noun) => standing?.nouns.has(noun)) ? undefined : standing?.ids;
  const { medium, packId } = have('medium', 'packId') ?? (await makePhoto(app, owner));
  const { video, trackId } = have('video', 'trackId') ?? (await makeVideo(app, owner));
  const album = await seedAlbum(app, person.userId, [medium, video], `Album ${word}`);
  const spareAlbum = have('spareAlbum')?.spareAlbum ?? (await seedAlbum(app, person.userId, [], `Spare ${word}`));
  const rules = { albumIds: [album], rules: { ageGate: false }, isLaxConfirmed: true };
  const named = { linkName: 'A link', recipientName: 'Bob', note: word };
  const { id: link, slug } = await must(app, 'links.create', { ...rules, ...named }, person.browser);
  // Pictures come to a viewer who lends them; a visit that is spent needs none.
  const { visitId: visit } = (await viewerApi.tap(slug, standing && { firstScreen: 0 }, viewer)).head;
  const [known] = await readRows(
    app,
    'select p.id, p.viewer_id from viewer_pseudonyms p join viewer_sessions s using (creator_id, viewer_id) where s.id = $1',
    [visit],
  );
  const session = have('session')?.session ?? (await openSession(app, person.userId)).id;
  const upload = have('upload')?.upload ?? (await beginUpload({ app, viewerApi }, owner, album));
  const ids = { album, spareAlbum, medium, packId, video, trackId, link, slug, visit, session, upload };
  const shown = { ...ids, viewer: String(known?.id), viewerRow: String(known?.viewer_id) };
  const trace = have('trace')?.trace ?? (await makeTrace(app, owner, shown));
  const { tier, fan } = have('tier', 'fan') ?? (await makeFan(app, owner, shown));
  const pass = have('pass', 'tier')?.pass ?? (await makePass(app, owner, tier));
  const preset = have('preset')?.preset ?? (await makePreset(app, owner));
  const pack = have('pack')?.pack ?? (await makePack(app, owner.person));
  const request = have('request')?.request ?? (await makeRequest(app, owner, shown));
  const { access, securityEvent } = have('access', 'securityEvent') ?? (await makeAccess(app, owner, shown));
  const agreement = have('agreement')?.agreement ?? (await makeAgreement(app, owner));
  const passkey = await makePasskey(app, owner, have('passkey'));
  const ownExport = await makeExport(app, owner, have('export'));
  const order = have('order')?.order ?? (await makeOrder(app, owner, shown));
  const coPerformer = await makeCoPerformer(app, owner, spareAlbum);
  const more = { access, agreement, securityEvent, passkey, export: ownExport, order, coPerformer };
  return { ...shown, trace, tier, fan, pass, preset, pack, request, ...more };
}

/** A link by which others get her tier for some days. */
async function makePass({ engines }: TestApp, { person, whose }: Owner, tierId: string): Promise<string> {
  const now = new Date(engines.clock());
  const id = newId<'pass'>(now.getTime());
  const pass = { id, tokenHash: hashPassToken(passTokenOf(engines.secrets[0], id)), label: `Pass ${canaries[whose]}` };
  const open = { days: 7, places: 100, now, expiresAt: new Date(now.getTime() + 86_400_000) };
  await engines.database.work({ kind: 'system' }, (tx) =>
    insertPass(tx, { ...pass, ...open, creatorId: person.userId, tierId }, mostOpenPasses),
  );
  return id;
}

/** Rules that are kept to begin links with. */
async function makePreset({ engines }: TestApp, { person, whose }: Owner): Promise<string> {
  const now = new Date(engines.clock());
  const id = newId<'preset'>(now.getTime());
  const preset = { id, creatorId: person.userId, name: `Preset ${canaries[whose]}`, policy: {}, endsAfterHours: null };
  await engines.database.work({ kind: 'system' }, (tx) => insertPreset(tx, { ...preset, now }));
  return id;
}

/** A tier, whose name everybody is shown, and a free pass of it for her viewer. */
async function makeFan(
  { engines }: TestApp,
  { person }: Owner,
  { viewerRow }: Pick<Ids, 'viewerRow'>,
): Promise<Pick<Ids, 'tier' | 'fan'>> {
  const now = new Date(engines.clock());
  const [tier, fan] = [newId<'tier'>(now.getTime()), newId<'fan'>(now.getTime())];
  await engines.database.work({ kind: 'system' }, async (tx) => {
    // Three are offered at most, and the proof makes as many things as it likes.
    for (const { id, slot } of await listTiers(tx, person.userId))
      if (slot !== null) await stopTier(tx, person.userId, id, now);
    const reach = {
      off3: null,
      off6: null,
      off12: null,
      allFuture: true,
      albumIds: [],
      benefits: '',
      priceCents: 999,
      currency: 'usd',
    };
    await insertTier(tx, { ...reach, id: tier, creatorId: person.userId, name: 'A tier', now });
    await insertFanPass(tx, { id: fan, viewerId: viewerRow, tierId: tier, endsAt: null, now });
  });
  return { tier, fan };
}

/** Returns who has asked for custom work. */
export const askerOf = (requestId: string): string => `asker-${requestId}@example.com`;

/** Something that her viewer asked her for, and that waits for her answer. */
async function makeRequest(
  { engines }: TestApp,
  { person, whose }: Owner,
  { viewerRow, link }: Pick<Ids, 'viewerRow' | 'link'>,
): Promise<string> {
  const now = new Date(engines.clock());
  const id = newId<'request'>(now.getTime());
  const asked = { title: 'Ten photos', brief: `Brief ${canaries[whose]}`, kind: 'photo', quantity: 1 }; // the title is shown to who asked
  await engines.database.work({ kind: 'system' }, async (tx) => {
    const settings = { leastCents: 1000, priceList: [], days: 14, wontDo: '', mostOpen: 10, isOn: true };
    await keepSettings(tx, person.userId, settings);
    // Ten are open at most, and the proof makes as many things as it likes.
    await tx.client.query('update custom_requests set closed_at = $2 where creator_id = $1', [person.userId, now]);
    const buyerId = await keepBuyer(tx, newId(now.getTime()), askerOf(id), now);
    await insertRequest(tx, {
      ...asked,
      ...engines.payments.realm,
      id,
      creatorId: person.userId,
      creatorName: 'Mia',
      viewerId: viewerRow,
      buyerId,
      linkId: link,
      lengthMinutes: null,
      wantedBy: null,
      timeZone: 'UTC',
      currency: 'usd',
      kind: 'photo',
      offeredCents: 4000,
      actUntil: new Date(now.getTime() + 72 * 3_600_000),
      now,
    });
    await noteEvent(tx, id, { who: 'buyer', what: 'asked', text: '', amountCents: 4000, at: now });
  });
  return id;
}

/** A photo whose original holds a canary, so that whoever may load it down gets something. */
async function makePhoto(app: TestApp, { person, whose }: Owner): Promise<Pick<Ids, 'medium' | 'packId'>> {
  const { mediaId, mediaKey, packs }: SeededPhoto = await seedPhoto(app, person.userId, { side: 64 });
  const text = `original of ${canaries[whose]}`;
  const stored = `media/${mediaId}/original.pfo`;
  await app.engines.storage.put(stored, await buffer(Readable.from([text]).pipe(encryptOriginal(mediaKey))));
  const keep = 'update media set original_path = $2, bytes = $3, original_name = $4 where id = $1';
  await readRows(app, keep, [mediaId, stored, Buffer.byteLength(text), `${canaries[whose]}.jpg`]);
  return { medium: mediaId, packId: packs.thumb512.packId };
}

async function makeVideo(app: TestApp, { person, whose }: Owner): Promise<Pick<Ids, 'video' | 'trackId'>> {
  const { mediaId, tracks } = await seedVideo(app, person.userId, { seconds: 2 });
  await readRows(app, 'update media set original_name = $2 where id = $1', [mediaId, `${canaries[whose]}.mp4`]);
  return { video: mediaId, trackId: tracks.v720.packId };
}

/** Begins an upload of ten bytes, of which none is here. */
export async function beginUpload({ viewerApi }: Stage, { person, whose }: Owner, albumId: string): Promise<string> {
  const metadata = uploadMetadata({ albumId, filename: `${canaries[whose]}.jpg` });
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-metadata': metadata };
  const answer = await viewerApi.fetch('/files', { method: 'POST', headers }, person.browser);
  if (answer.status !== 201) throw new Error(`POST /files: ${answer.status} ${await answer.text()}`);
  return answer.headers.get('location')?.split('/').at(-1) ?? '';
}

type Traced = Pick<Ids, 'album' | 'link' | 'medium' | 'slug' | 'viewerRow'>;

/** A trace that has named a link and its viewer, with files that its creator may look at. */
async function makeTrace(app: TestApp, { person, whose }: Owner, ids: Traced): Promise<string> {
  const bytes = Readable.from([Buffer.from(canaries[whose])]);
  const copy = { creatorId: person.userId, albumId: ids.album, bytes, sizeBytes: canaries[whose].length };
  const traceId = await takeCopy(app.engines, copy, 'command');
  const result = JSON.stringify(await resultOf(app, ids));
  const end = `update traces set state = 'done', outcome = 'traced', result = $2, has_preview = true, finished_at = $3
    where id = $1`;
  await readRows(app, end, [traceId, result, new Date(app.engines.clock())]);
  await putFiles(app, person.userId, traceId, ids.slug);
  return traceId;
}

async function resultOf(app: TestApp, { link, viewerRow, medium }: Traced): Promise<TraceResult> {
  const granted = 'select id from link_viewers where link_id = $1 and viewer_id = $2';
  const [grant] = await readRows(app, granted, [link, viewerRow]);
  const certainty = { word: 'traced', chancePower: -9 } as const;
  const before = new Date(app.engines.clock() + 1000);
  return {
    leak: { mime: 'image/jpeg', width: 64, height: 48 },
    compared: 1,
    earlierTraces: 0,
    hasOriginal: true,
    together: { traceIds: [], mediaIds: [], isOtherGone: false },
    shown: [{ mediaId: medium, before, isMoving: false }],
    items: [
      {
        mediaId: medium,
        isMoving: false,
        isStill: false,
        isMirrored: false,
        corners: [],
        columns: 1,
        rows: 1,
        tiles: [true],
      },
    ],
    named: {
      issued: 4,
      hypotheses: 8,
      ownLooks: [],
      wasDisclosed: false,
      links: [{ ...certainty, linkId: link, timesNamed: 0, grants: [{ ...certainty, grantId: String(grant?.id) }] }],
    },
  };
}

async function putFiles({ engines }: TestApp, userId: string, traceId: string, word: string): Promise<void> {
  const { storage, keys, database } = engines;
  const key = await database.work({ kind: 'user', userId }, (tx) => findTraceKey(tx, keys, traceId));
  if (key === undefined) throw new Error('A trace has no key.');
  for (const file of ['preview', 'original'] as const) {
    const bytes = Buffer.from(`${file} ${word}`);
    await putTraceFile(storage, { traceId, key }, file, bytes, bytes.length);
  }
}

/** What a viewer is lent of these things. */
export async function lend({ app, viewerApi }: Stage, { visit, medium, video }: Ids, viewer: Browser): Promise<Lent> {
  const pictures = await viewerApi.lease(visit, [{ mediaId: medium, rendition: 'thumb512' }], viewer);
  const [lease] = pictures.head.leases;
  const tracks = [{ track: 'v720', from: 0, count: 1 }];
  const { leases } = await must(app, 'viewing.videoKeys', { visitId: visit, mediaId: video, tracks }, viewer);
  const tag = lease.url.split('/').at(-1);
  return { lease: lease.leaseId, tag, leaseToken: lease.token, videoToken: leases[0].token };
}

/** What a creator is lent of her own video. */
export async function lendOwn({ app }: Stage, { video }: Ids, creator: Browser): Promise<string> {
  const wanted = { mediaId: video, tracks: [{ track: 'v720', from: 0, count: 1 }] };
  return (await must(app, 'media.videoKeys', wanted, creator)).leases[0].token;
}
