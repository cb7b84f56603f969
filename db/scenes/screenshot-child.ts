import { createDecipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { tilesOf } from '#features/media/formats/grid.ts';
import { readPackHeader, tileBytes } from '#features/media/formats/pack.ts';

/**
 * Draws what stood on a viewer's screen, and saves it smaller, as a messenger does:
 * `node db/scenes/screenshot-child.ts <pack> <keys> <JPEG to write>`.
 */
const [packFile = '', keysFile = '', copyFile = ''] = process.argv.slice(2);
const [pack, keys] = [readFileSync(packFile), readFileSync(keysFile)];
const header = readPackHeader(pack);
const { width, height } = header;

/** Each key opens one tile only, so the nonce is all zero. */
function openTile(index: number): Buffer {
  const tile = Buffer.from(tileBytes(pack, header, index, 0));
  const decipher = createDecipheriv('aes-256-gcm', keys.subarray(32 * index, 32 * index + 32), Buffer.alloc(12));
  decipher.setAuthTag(tile.subarray(-16));
  return Buffer.concat([decipher.update(tile.subarray(0, -16)), decipher.final()]);
}

const tiles = tilesOf(header).map(({ index, left, top }) => ({ input: openTile(index), left, top }));
const screen = sharp({ create: { width, height, channels: 3, background: 'black' } }).composite(tiles);
const { data, info } = await screen.raw().toBuffer({ resolveWithObject: true });
await sharp(data, { raw: info }).resize(900).jpeg({ quality: 82 }).toFile(copyFile);
