import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { canDrawClips, drawClip, tellNoClips } from '#tests/support/clips.ts';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { sendFile } from '#tests/support/send-file.ts';
import { decryptSegment } from './keys.ts';
import { findMediaKey } from './keys-store.ts';

if (!canDrawClips) tellNoClips();

let house: HouseInTest;
let ana: Person;
let albumId: string;

const rowsOf = (text: string, values: unknown[] = []) =>
  house.engines.database.work({ kind: 'system' }, async ({ client }) => (await client.query(text, values)).rows);
const mediumOf = async (id: string) => (await rowsOf('select * from media where id = $1', [id]))[0];
const whenEnded = (id: string) =>
  vi.waitFor(
    async () => {
      const medium = await mediumOf(id);
      expect(['ready', 'failed']).toContain(medium?.state);
      return medium;
    },
    { timeout: 60_000, interval: 100 },
  );
const filesOf = async (id: string) => {
  const files: string[] = [];
  for await (const file of house.engines.storage.list(`media/${id}/`)) files.push(file);
  return files;
};

describe.runIf(canDrawClips)('a film', () => {
  beforeAll(async () => {
    house = await openHouse();
    ana = await signUpCreator(house);
    await house.app.listen({ port: 0, host: '127.0.0.1' });
    albumId = (await house.call('albums.create', { name: 'Films' }, ana.browser)).body.id;
  }, 120_000);
  afterAll(() => house.close());

  const send = async (bytes: Buffer, name = 'clip.mp4') => (await sendFile(house, ana, albumId, { name, bytes })).id;

  it('becomes two rungs in two variants, its sound, a poster and a storyboard, each stored under its own keys', async () => {
    const id = await send(drawClip({ seconds: 3, width: 1280, height: 720 }));
    const medium = await whenEnded(id);
    expect(medium).toMatchObject({ state: 'ready', kind: 'video', mime_sniffed: 'video/mp4', width: 1280, height: 720 });
    expect(medium).toMatchObject({ duration_ms: 3000, has_audio: true, hdr: false, fps: 30, progress: null });
    const packs = await rowsOf('select * from packs where media_id = $1 order by rendition', [id]);
    expect(packs.map(({ rendition, mark, segments, width, height }) => [rendition, mark, segments, width, height])).toEqual([
      ['audio', '-', 1, null, null],
      ['poster', 'AB', null, 1280, 720],
      ['posterthumb', 'AB', null, 512, 288],
      ['storyboard', 'AB', null, 1120, 540],
      ['v480', 'AB', 3, 854, 480],
      ['v720', 'AB', 3, 1280, 720],
    ]);
    const named = await rowsOf(
      'select path from packs where media_id = $1 union all select s.path from segment_files s join packs p on p.id = s.pack_id where p.media_id = $1',
      [id],
    );
    expect((await filesOf(id)).toSorted()).toEqual([...named.map(({ path }) => path), medium.original_path].toSorted());
  }, 120_000);
});
