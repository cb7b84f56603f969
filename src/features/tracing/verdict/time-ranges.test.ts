import { describe, expect, it } from 'vitest';
import { drawEvidence } from '#tests/support/tracing/evidence-case.ts';
import { readPdf } from '#tests/support/tracing/read-pdf.ts';
import type { WrittenEvidence } from '../evidence/evidence-file.ts';
import { writeEvidencePdf } from '../evidence/evidence-pdf.ts';
import { verifyEvidence } from '../evidence/verify-evidence.ts';
import { describePlayed, type PlayedRanges } from './time-ranges.ts';

const playedColumnsSql = (stretches: [number, number][], more: Partial<PlayedRanges> = {}): PlayedRanges => ({
  stretches,
  more: 0,
  seconds: stretches.reduce((sum, [from, to]) => sum + to - from, 0),
  filmSeconds: 4000,
  ...more,
});

/** The evidence of a case, told no surer than files are. */
function drawReadable(): WrittenEvidence {
  const evidence = drawEvidence();
  for (const link of evidence.links) {
    link.chancePower = Math.max(-12, link.chancePower);
    for (const { certainty } of link.viewers)
      if (certainty) certainty.chancePower = Math.max(-12, certainty.chancePower);
  }
  return evidence;
}

/** The same evidence, in which these were played, one look after another; the video was found alone, or beside a photo. */
function evidenceOf(all: readonly PlayedRanges[], itemCount = 1): WrittenEvidence {
  const evidence = drawReadable();
  const video = evidence.items[1];
  if (video === undefined) throw new Error('no video');
  const [viewer] = evidence.links[0]?.viewers ?? [];
  const [visit] = viewer?.visits ?? [];
  if (viewer === undefined || visit === undefined) throw new Error('no visit');
  const looks = all.map((played, n) => ({
    mediaId: video.mediaId,
    at: new Date(Date.parse(visit.startedAt) + 60_000 * n).toISOString(),
    msVisible: 43_000,
    played,
  }));
  viewer.visits = [{ ...visit, looks }];
  return { ...evidence, items: itemCount === 1 ? [video] : evidence.items };
}

describe('what was played of a video', () => {
  it.each([
    ['not played', playedColumnsSql([])],
    ['played 0:00–0:41', playedColumnsSql([[0, 41]])],
    [
      'played 0:00–0:41 and 1:10–1:12',
      playedColumnsSql([
        [0, 41],
        [70, 72],
      ]),
    ],
    [
      'played 0:00–0:01, 0:05–0:06 and 1:00:00–1:01:05',
      playedColumnsSql([
        [0, 1],
        [5, 6],
        [3600, 3665],
      ]),
    ],
  ])('stands there as %s', (words, played) => expect(describePlayed(played)).toBe(words));

  it('is told in few words, however much somebody jumped about', () => {
    const jumps = Array.from({ length: 50 }, (_, n): [number, number] => [10 * n, 10 * n + 2]);
    const words = describePlayed(playedColumnsSql(jumps, { more: 1200, seconds: 2500 }));
    expect(words).toBe(
      'played 0:00–0:02, 0:10–0:12, 0:20–0:22, 0:30–0:32, 0:40–0:42 and 1,245 more parts, 41:40 in all',
    );
  });
});

describe('the evidence of a video', () => {
  const check = 'The seconds played are in order within their video and add up';
  const verdictOn = (...all: PlayedRanges[]) =>
    verifyEvidence(JSON.stringify(evidenceOf(all))).find(({ what }) => what === check)?.is;

  it('is checked for seconds that cannot be', () => {
    expect(verdictOn(playedColumnsSql([]), playedColumnsSql([[0, 4000]]))).toBe('right');
    const two: [number, number][] = [
      [0, 41],
      [70, 72],
    ];
    expect(verdictOn(playedColumnsSql(two, { more: 3, seconds: 46 }))).toBe('right');
    for (const wrong of [
      playedColumnsSql(two, { seconds: 44 }),
      playedColumnsSql(two, { more: 3, seconds: 45 }),
      playedColumnsSql(two, { more: -1 }),
      playedColumnsSql(two, { more: 1, seconds: 4001 }),
      playedColumnsSql(two, { filmSeconds: 71 }),
      playedColumnsSql(two.toReversed()),
      playedColumnsSql([
        [0, 41],
        [41, 50],
      ]),
      playedColumnsSql([[5, 5]]),
      playedColumnsSql([[-1, 5]]),
    ])
      expect([wrong, verdictOn(playedColumnsSql(two), wrong)]).toEqual([wrong, 'wrong']);
  });

  it('that was made before it told of playing is one still, and nothing is said of it', async () => {
    const older = drawReadable();
    const checks = verifyEvidence(JSON.stringify(older));
    expect(checks.map(({ what }) => what)).not.toContain(check);
    expect(checks.length).toBeGreaterThan(10);
    expect((await readPdf(await writeEvidencePdf(older))).words).not.toContain('played');
  });

  it('says on its pages what was played at each look, and what that means', async () => {
    const all = [
      playedColumnsSql([
        [0, 41],
        [70, 72],
      ]),
      playedColumnsSql([]),
    ];
    const { words } = await readPdf(await writeEvidencePdf(evidenceOf(all)));
    expect(words).toMatch(/\d\d:\d\d:\d\d, 43 s, played 0:00–0:41 and 1:10–1:12 \d{4}-/);
    expect(words).toMatch(/\d\d:\d\d:\d\d, 43 s, not played /);
    expect(words).toContain('Minutes and seconds after “played” are positions in the video itself, not times of day.');
    const ofSeveral = (await readPdf(await writeEvidencePdf(evidenceOf(all, 2)))).words;
    expect(ofSeveral).toContain('played 0:00–0:41 and 1:10–1:12 (video …000002)');
  });
});
