import sharp from 'sharp';
import { grantSeed, linkSeed } from '#features/media/formats/codeword.ts';
import { type Tile, tilesOf } from '#features/media/formats/grid.ts';
import { readPackHeader } from '#features/media/formats/pack.ts';
import { ensureTraceKey } from '#features/media/keys-store.ts';
import type { Reading, Suspect } from '#features/tracing/findings.ts';
import { readTraceFile, StoredReadings } from '#features/tracing/progress/trace-files.ts';
import { findTraceKey } from '#features/tracing/store.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { headersOf } from '#tests/support/test-app.ts';
import { type Guest, type LeakWorld, untilTraced, upload } from '#tests/support/tracing/leaks.ts';
import { bitsOfSuspect, type DrawnItem, type Heard, type Mix } from './trace-framing.ts';

/** Everything that came back for one upload. */
export interface Answer extends Heard {
  traceId: string;
  outcome: string;
  /** What its evidence file opens: seeds, and what was read. */
  opened: string[];
  /** All that can be seen of it, in one text, without what she sent herself, and when. */
  said: string;
}

/** A creator with cookies of her own: she has both variants of every tile, and nothing else but the answers of the product. */
export interface Attacker {
  tiles: number;
  /** Uploads that were refused because there had been too many; she waited and came again. */
  refused: number;
  /** A viewer's own copy as a mixture. */
  mixOf(guest: Guest): Promise<Mix>;
  /** Draws a mixture as a picture file, submits it and hears everything that she can see of its trace. */
  receive(mix: Mix): Promise<Answer>;
}

/** Her cookies come by links of their own, until each tile was seen in both variants. Which of them is A they do not say. */
export async function openAttacker(world: LeakWorld): Promise<Attacker> {
  const { app } = world;
  const header = readPackHeader((world.photos[0] as LeakWorld['photos'][0]).packs.p2048.bytes);
  const tiles = tilesOf(header);
  const variants: Buffer[][] = tiles.map(() => []);
  const look = async (screenshot: Buffer, isNew: boolean): Promise<Mix> => {
    const pixels = await sharp(screenshot).removeAlpha().raw().toBuffer();
    return Uint8Array.from(tiles, (tile, t) => {
      const own = cut(pixels, header.width, tile);
      const seen = variants[t] as Buffer[];
      const at = seen.findIndex((known) => known.equals(own));
      if (at < 0 && !isNew) throw new Error('A variant that nobody of hers was shown.');
      return at < 0 ? seen.push(own) - 1 : at;
    });
  };
  for (let n = 1; variants.some(({ length }) => length < 2); n++)
    await look((await world.invite(`Cookie ${n}`)).screenshots[0] as Buffer, true);
  let sent = 0;
  const draw = (mix: Mix): Promise<Buffer> => {
    const rgb = Buffer.alloc(3 * header.width * header.height);
    for (const [t, tile] of tiles.entries()) put(rgb, header.width, tile, variants[t]?.[mix[t] as number] as Buffer);
    const picture = sharp(rgb, { raw: { width: header.width, height: header.height, channels: 3 } });
    return (sent++ % 2 === 0 ? picture.jpeg({ quality: 95 }) : picture.png({ compressionLevel: 1 })).toBuffer();
  };
  const attacker: Attacker = {
    tiles: tiles.length,
    refused: 0,
    mixOf: (guest) => look(guest.screenshots[0] as Buffer, false),
    async receive(mix) {
      const bytes = await draw(mix);
      for (;;) {
        advance(app, 1000);
        const { status, body } = await upload(world, bytes, world.creator.browser, `?albumId=${world.albumId}`);
        if (status === 201) return hearTrace(world, body.traceId, bytes.length);
        if (status !== 429) throw new Error(`${status}: ${body.message}`);
        attacker.refused++;
        advance(app, 3_600_000);
      }
    },
  };
  return attacker;
}

const rowsOf = ({ left, top, width, height }: Tile, across: number) =>
  Array.from({ length: height }, (_, y) => ({ at: 3 * ((top + y) * across + left), bytes: 3 * width }));

const cut = (pixels: Buffer, across: number, tile: Tile): Buffer =>
  Buffer.concat(rowsOf(tile, across).map(({ at, bytes }) => pixels.subarray(at, at + bytes)));

const put = (pixels: Buffer, across: number, tile: Tile, own: Buffer): void => {
  for (const [y, { at, bytes }] of rowsOf(tile, across).entries()) own.copy(pixels, at, y * bytes, (y + 1) * bytes);
};

/** Looks at a trace in every way there is. @throws when it tells of the copy what she did not send */
async function hearTrace(world: LeakWorld, traceId: string, sizeBytes: number): Promise<Answer> {
  const { app, viewerApi, creator } = world;
  const one = await untilTraced(world, traceId, creator.browser, 600);
  const { body: list } = await app.call('tracing.list', { limit: 1 }, creator.browser);
  const files: unknown[] = [];
  const opened: string[] = [];
  const isNamed = one.links.length > 0 || one.ownLook !== null;
  const headers = headersOf(creator.browser) as Record<string, string>;
  for (const [method, file] of [
    ['GET', 'original'],
    ['POST', 'evidence.pdf'],
    ['POST', 'evidence.json'],
  ] as const) {
    const ask = () => viewerApi.fetch(`/api/traces/${traceId}/${file}`, { method, headers }, creator.browser);
    let answer = await ask();
    // She has asked too often, waits, and comes again.
    for (; answer.status === 429; answer = await ask()) advance(app, 3_600_000);
    files.push([file, answer.status]);
    if (file === 'evidence.json' && answer.ok) opened.push(...openedIn(await answer.text()));
  }
  const people = one.links.flatMap(({ people: own }: { people: { certainty: unknown }[] }) => own);
  const certainties = [...one.links, ...people.flatMap(({ certainty }: { certainty: unknown }) => certainty ?? [])];
  const powers = [...certainties, ...(one.ownLook ? [one.ownLook] : [])].map(({ chancePower }) => -chancePower);
  const own = { id: traceId, sizeBytes, sha256: one.sha256, createdAt: one.createdAt, keptUntil: one.keptUntil };
  const { earlierTraces: _, items, ...rest } = withoutOwn(one, own);
  const shown = { ...rest, items: items.map((item: { corners: number[][] }) => ({ ...item, corners: coarse(item) })) };
  return {
    traceId,
    outcome: one.outcome,
    opened,
    isAccusation: one.outcome === 'traced',
    nearness: isNamed ? Math.max(...powers) : undefined,
    said: JSON.stringify([shown, withoutOwn(list.traces[0], own), files], null, 1),
  };
}

/** Fields of an evidence file by which whoever has it could draw a better copy. */
function openedIn(evidence: string): string[] {
  const found: string[] = [];
  JSON.parse(evidence, (name, value) => {
    if (/seed|readings/i.test(name) && value !== null) found.push(name);
    return value;
  });
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function withoutOwn(shown: any, own: Record<string, unknown>): any {
  return Object.fromEntries(Object.entries(shown).filter(([name, value]) => !(name in own) || own[name] !== value));
}

/** Each copy is the whole picture; where it lies is told to a thousandth, and jitters by a few of them as coding does. */
const coarse = ({ corners }: { corners: number[][] }) =>
  corners.map((at) => at.map((share) => Math.abs(Math.round(share))));

/** What only the app knows, to plant a tracer that leaks, and to be lucky on purpose. */
export interface Inside {
  suspects: Suspect[];
  item: DrawnItem;
  /** Where a viewer's bits are. */
  bits(guest: Guest): Uint8Array;
  /** What was read of a copy that was submitted. */
  readings(traceId: string): Promise<Reading[]>;
}

export async function openInside({ app, creator, photos }: LeakWorld): Promise<Inside> {
  const { database, keys, storage } = app.engines;
  const traceKey = await database.work({ kind: 'system' }, (tx) => ensureTraceKey(tx, keys, creator.userId));
  const { mediaId, packs } = photos[0] as (typeof photos)[0];
  const { columns, rows: down } = readPackHeader(packs.p2048.bytes);
  const item = { mediaId, columns, rows: down };
  const listed = 'select id, link_id from link_viewers where creator_id = $1 order by id';
  const rows = await readRows(app, listed, [creator.userId]);
  const suspects = rows.map((row) => {
    const [grantId, linkId] = [String(row.id), String(row.link_id)];
    return { grantId, grantSeed: grantSeed(traceKey, grantId), link: { linkId, linkSeed: linkSeed(traceKey, linkId) } };
  });
  return {
    suspects,
    item,
    bits({ linkId }) {
      const suspect = suspects.find(({ link }) => link.linkId === linkId);
      if (suspect === undefined) throw new Error('a viewer whom nobody invited');
      return bitsOfSuspect(suspect, item);
    },
    async readings(traceId) {
      const key = await database.work({ kind: 'system' }, (tx) => findTraceKey(tx, keys, traceId));
      const stored = key && (await readTraceFile(storage, { traceId, key }, 'readings'));
      return stored === undefined ? [] : StoredReadings.parse(JSON.parse(stored.toString()));
    },
  };
}
