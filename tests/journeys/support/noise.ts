import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import type { CDPSession, Page } from '@playwright/test';

/** Noise does not compress: 3200 × 2000 pixels are 19 MB as PNG. */
export function drawNoise(file: string, height = 2000): void {
  const width = 3200;
  const rows = randomBytes(height * (1 + 3 * width));
  for (let row = 0; row < height; row++) rows[row * (1 + 3 * width)] = 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const chunks = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 0 })), chunk('IEND', Buffer.alloc(0))];
  writeFileSync(file, Buffer.concat([signature, ...chunks]));
}

/** From now on this page sends so many bytes a second. @returns its line, to be changed with `drawLine` */
export async function slowDown(page: Page, bytesPerSecond: number): Promise<CDPSession> {
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  await drawLine(line, { offline: false, bytesPerSecond });
  return line;
}

/** The network as a phone has it outdoors, or none. */
export const drawLine = (
  line: CDPSession,
  { offline, bytesPerSecond = 3_000_000 }: { offline: boolean; bytesPerSecond?: number },
): Promise<unknown> =>
  line.send('Network.emulateNetworkConditions', {
    offline,
    latency: 20,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
