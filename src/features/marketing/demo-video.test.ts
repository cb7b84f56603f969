import { describe, expect, it } from 'vitest';
import { builtInVideo, chooseVideo } from './demo-video.ts';

const own = { src: builtInVideo.src, poster: builtInVideo.poster };
const builtIn = { kind: 'file', ...own };
const youtube = { kind: 'embed', src: 'https://www.youtube.com/embed/dQw4w9WgXcQ', fallback: own };

describe('which video the landing page plays', () => {
  it.each([
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/watch?list=x&v=dQw4w9WgXcQ&t=10',
    'https://youtu.be/dQw4w9WgXcQ?si=abc',
    'https://www.youtube.com/embed/dQw4w9WgXcQ',
    'https://youtube.com/shorts/dQw4w9WgXcQ',
    'youtu.be/dQw4w9WgXcQ',
  ])('%s becomes an embed address', (address) => {
    expect(chooseVideo(address, true)).toEqual(youtube);
  });

  it('another address that says "embed" is taken as it is', () => {
    const src = 'https://video.example/embed/42?mute=1';
    expect(chooseVideo(src, true)).toEqual({ kind: 'embed', src, fallback: own });
    expect(chooseVideo(src, false)).toEqual({ kind: 'embed', src, fallback: null });
  });

  it.each([
    '',
    'https://video.example/42',
    'https://www.youtube.com/watch?v=short',
    'https://youtu.be/twelveletter',
    'http://video.example/embed/42',
    'javascript:alert("embed")',
    "https://video.example/embed;script-src 'unsafe-inline'",
  ])('"%s" means the built-in one', (address) => {
    expect(chooseVideo(address, true)).toEqual(builtIn);
  });

  it('there is none where none was made', () => {
    expect(chooseVideo('', false)).toBeNull();
  });
});
