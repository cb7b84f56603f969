import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { writeAvi } from './avi.ts';
import { pictures } from './pictures.ts';

/** Draws a video from the lights of a city to the sun over the sea into a file: `node db/scenes/video-child.ts <file> [seconds]`. */
const [file, seconds = '12'] = process.argv.slice(2);
if (file === undefined) throw new Error('Say into which file.');

const [width, height, framesPerSecond, sceneSeconds] = [360, 450, 10, 4];
const mostFrames = Number(seconds) * framesPerSecond;
/** Of 72: the video is smaller than the pictures. */
const density = 45;
/** Three pictures one after another, through which the camera goes: where it begins and ends, and how much of the picture it shows. */
const scenes = [
  { name: 'city', from: { left: 0.3, top: 0.3, share: 0.5 }, to: { left: 0, top: 0, share: 0.9 } },
  { name: 'lamp', from: { left: 0.3, top: 0.1, share: 0.6 }, to: { left: 0, top: 0, share: 1 } },
  { name: 'evening', from: { left: 0, top: 0, share: 1 }, to: { left: 0.1, top: 0.3, share: 0.5 } },
] as const;

const between = (from: number, to: number, share: number) => from + (to - from) * share;

async function drawScene({ name, from, to }: (typeof scenes)[number]): Promise<Buffer[]> {
  const picture = sharp(Buffer.from(pictures[name]?.() ?? ''), { density });
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 3 } as const;
  const count = framesPerSecond * sceneSeconds;
  return Promise.all(
    Array.from({ length: count }, (_, n) => {
      const share = between(from.share, to.share, n / count);
      const cut = {
        left: Math.floor(between(from.left, to.left, n / count) * raw.width),
        top: Math.floor(between(from.top, to.top, n / count) * raw.height),
        width: Math.floor(share * raw.width),
        height: Math.floor(share * raw.height),
      };
      return sharp(data, { raw }).extract(cut).resize(width, height).jpeg({ quality: 80 }).toBuffer();
    }),
  );
}

const frames: Buffer[] = [];
for (const scene of scenes) if (frames.length < mostFrames) frames.push(...(await drawScene(scene)));
writeFileSync(file, writeAvi({ width, height, framesPerSecond, frames: frames.slice(0, mostFrames) }));
