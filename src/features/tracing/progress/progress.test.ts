import { expect, it } from 'vitest';
import type { TraceProgress } from '../findings.ts';
import { shareOf, stretches } from './progress.ts';

const reported = (step: TraceProgress['step'], of: number, isFirstLook = false) =>
  Array.from({ length: of }, (_, done) => ({ step, done, of, isFirstLook }));

it('goes on from the likeliest to all and to what was found, and from videos to pictures', () => {
  const way = [...reported('reading', 6, true), ...reported('matching', 40), ...reported('reading', 3)];
  const videos = [...reported('matching', 5), ...reported('reading', 2)].map((progress) =>
    shareOf(stretches.videos, progress),
  );
  const shares = [...videos, ...way.map((progress) => shareOf(stretches.stills, progress))];
  for (const all of [shares, way.map((progress) => shareOf(stretches.picture, progress))]) {
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect([(all[0] as number) > 0, (all.at(-1) as number) < 1]).toEqual([true, true]);
  }
});
