import { expect, it } from 'vitest';
import { whyNotSent } from './copy-rules.ts';

const fileOf = (name: string, type = '', size = 1000) => ({ name, type, size });

it('a copy is one picture or clip of a size that is taken; everything else is said before it is sent', () => {
  const why = (...files: ReturnType<typeof fileOf>[]) =>
    whyNotSent(files, { photoBytes: 50_000_000, clipBytes: 500_000_000 });
  for (const file of [
    fileOf('a.jpg', 'image/jpeg'),
    fileOf('IMG_1.HEIC'),
    fileOf('screen', 'image/png'),
    fileOf('a.mp4', '', 400_000_000),
  ])
    expect(why(file)).toBeUndefined();
  for (const file of [fileOf('a.jpeg', '', 50_000_000), fileOf('a.mov', '', 500_000_000)])
    expect(why(file)).toBeUndefined();
  for (const file of [
    fileOf('a.jpg.exe'),
    fileOf('a.mp4.zip'),
    fileOf('x', 'text/video/mp4'),
    fileOf('x', 'my-image/png'),
    fileOf('x', 'image/pngs'),
  ])
    expect(why(file)).toMatch(/^Choose a photo or a screenshot/);
  expect(why()).toBeUndefined();
  expect(why(fileOf('a.jpg'), fileOf('b.jpg'))).toBe('Please choose one copy at a time.');
  for (const file of [fileOf('a.mp3', 'audio/mpeg'), fileOf('a.svg', 'image/svg+xml'), fileOf('folder')])
    expect(why(file)).toBe(
      'Choose a photo or a screenshot (JPEG, PNG, WebP, HEIC or AVIF), or a clip (MP4, MOV, WebM or MKV).',
    );
  expect(why(fileOf('a.jpg', 'image/jpeg', 0))).toBe('This file is empty.');
  expect(why(fileOf('a.jpg', 'image/jpeg', 50_000_001))).toBe('A picture can be up to 50 MB.');
  expect(why(fileOf('a.mov', 'video/quicktime', 500_000_001))).toBe('A clip can be up to 500 MB.');
});
