import { expect, test } from 'vitest';
import { countMedia, nameOfKind } from './item-names.ts';

const [photo, video] = [{ kind: 'photo' }, { kind: 'video' }] as const;

test('photos are called photos, videos videos, and both together items', () => {
  expect([countMedia([photo]), countMedia([photo, photo])]).toEqual(['1 photo', '2 photos']);
  expect([countMedia([video]), countMedia([video, video])]).toEqual(['1 video', '2 videos']);
  expect(countMedia([photo, video, video])).toBe('3 items');
  expect([nameOfKind('photo'), nameOfKind('video')]).toEqual(['Photo', 'Video']);
});
