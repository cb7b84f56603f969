import { readFileSync } from 'node:fs';
import { readBoxes } from '#tests/support/media/boxes.ts';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { drawClip } from '#tests/support/media/clips.ts';
import { hasExiftool, readTags, type Shot } from './camera-traces.ts';

/** Videos with everything that cameras write beside picture and sound: one that is drawn, and real ones where there are some. */
export function findTellingVideos(): Shot[] {
  const material = (findCameraMaterial() ?? []).filter(({ name }) =>
    /^mdx__with-gps\.(mov|mp4)$|^androidx__sample_with_metadata\.mp4$|^made__portrait_gps\.mov$/.test(name),
  );
  if (material.length === 0) process.stdout.write('No videos of cameras: set PF_MEDIA to a folder that has some.\n');
  return [drawTellingVideo(), ...material.map(({ name, path }) => ({ name, bytes: readFileSync(path) }))];
}

/** A video of a telephone that says where, when, with what and by whom. */
export function drawTellingVideo(): Shot {
  const tags = [
    'location=+48.8583+002.2945/',
    'make=Telephone-Canary',
    'model=Model-Canary',
    'comment=Comment-Canary',
    'artist=Mara-Canary',
    'title=Title-Canary',
    'creation_time=2019-07-14T10:00:00Z',
  ];
  const also = [...tags.flatMap((tag) => ['-metadata', tag]), '-movflags', 'use_metadata_tags'];
  const named = ['-metadata:s:v', 'handler_name=Handler-Canary', '-metadata:s:a', 'language=fra'];
  return { name: 'Mara-secret-video.mov', bytes: drawClip({ ending: 'mov', also: [...also, ...named] }) };
}

/** Words of a file that say something: positions as ISO 6709 writes them, our own, and what exiftool reads of its camera. */
export function wordsOf({ name, bytes }: Shot): string[] {
  const text = bytes.toString('latin1');
  const positions = text.match(/[+-]\d{2}\.\d{2,6}[+-]\d{3}\.\d{2,6}/g) ?? [];
  const own = text.match(/[A-Z][a-z]+-Canary/g) ?? [];
  const reported = hasExiftool()
    ? Object.entries(readTags(bytes)).flatMap(([tag, value]) =>
        /Make$|Model$|Comment$|Artist$|Title$/.test(tag) && String(value).length >= 5 ? [String(value)] : [],
      )
    : [];
  return [...new Set([...positions, ...own, ...reported.filter((word) => text.includes(word)), name])];
}

/** All that a player needs; no place for words among them (ISO/IEC 14496-12, -14, -15). */
const needed = new Set(
  `ftyp moov mvhd trak tkhd edts elst mdia mdhd hdlr minf vmhd smhd dinf dref stbl stsd stts stsc stsz stco mvex trex mehd
   styp sidx moof mfhd traf tfhd tfdt trun mdat avc1 avcC colr pasp btrt mp4a esds`.split(/\s+/),
);
/** Bytes of a picture's and of a sound's entry before the boxes in it (ISO/IEC 14496-12 §12.1.3, §12.2.3). */
const entryHeads: Record<string, number> = { avc1: 86, mp4a: 36 };

/** Returns what stands in a video besides picture, sound and what a player needs, found without any program. */
export function strangersIn(video: Buffer): string[] {
  return readBoxes(video).flatMap(({ path, body }) => {
    const type = path.slice(-4);
    const found = needed.has(type) ? [] : [path];
    if (type === 'stsd') found.push(...strangersInEntries(body.subarray(8)));
    if (/^(mvhd|tkhd|mdhd)$/.test(type) && timesOf(body).some((time) => time !== 0)) found.push(`${path}: a time`);
    if (type === 'mdhd' && languageOf(body) !== 'und') found.push(`${path}: a language`);
    if (type === 'hdlr' && !/^(VideoHandler|SoundHandler)\0?$/.test(body.toString('latin1', 24)))
      found.push(`${path}: a name`);
    return found;
  });
}

function strangersInEntries(entries: Buffer): string[] {
  return readBoxes(entries).flatMap(({ path, body }) => {
    const inside = namesIn(body.subarray((entryHeads[path.slice(1)] ?? 8) - 8));
    return [path.slice(1), ...inside].flatMap((type) => (needed.has(type) ? [] : [`${path}: ${type}`]));
  });
}

function namesIn(bytes: Buffer): string[] {
  try {
    return readBoxes(bytes).map(({ path }) => path.slice(-4));
  } catch {
    return ['no boxes']; // as QuickTime lays out its sound: not what we write
  }
}

/** Returns when it was made and changed. */
const timesOf = (body: Buffer): number[] =>
  body[0] === 1
    ? [Number(body.readBigUInt64BE(4)), Number(body.readBigUInt64BE(12))]
    : [body.readUInt32BE(4), body.readUInt32BE(8)];

/** Three letters of five bits, behind the length. */
function languageOf(body: Buffer): string {
  const packed = body.readUInt16BE(body[0] === 1 ? 32 : 20);
  return [10, 5, 0].map((shift) => String.fromCharCode(96 + ((packed >> shift) & 31))).join('');
}

const telling =
  /gps|location|latitude|longitude|make|model|comment|software|serial|author|artist|title|description$|copyright|keyword|creator|owner|xmp|exif|android|identifier|language|vendor/i;
const says = /^(und|VideoHandler|SoundHandler|0000:00:00 00:00:00|)$/;

/** Tags of a video that tell about anything but picture and sound, as exiftool reads them. */
export const tellingVideoTags = (video: Buffer): string[] =>
  Object.entries(readTags(video, '-G0:1:4')).flatMap(([tag, value]) =>
    (telling.test(tag) || /Date$/.test(tag)) &&
    !/^(SourceFile|ExifTool|File|System):?/.test(tag) &&
    !says.test(String(value))
      ? [`${tag}=${value}`]
      : [],
  );
