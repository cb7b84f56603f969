import { describe, expect, it } from 'vitest';
import { drawEvidence } from '#tests/support/tracing/evidence-case.ts';
import { readPdf } from '#tests/support/tracing/read-pdf.ts';
import type { Stretches } from '../verdict/time-ranges.ts';
import type { WrittenEvidence } from './evidence-file.ts';
import { writeEvidencePdf } from './evidence-pdf.ts';
import { describeLeased, stretchesRead, videosOf } from './leased-ranges.ts';
import { type Check, verifyEvidence } from './verify-evidence.ts';

const read: Stretches = [
  [0, 30],
  [35, 46],
];

/** The evidence of a case whose video was read at these 41 seconds, and lent so to a viewer and to the creator themselves. */
function evidenceOf(lent: Stretches | null, own: Stretches | null = [[0, 60]]): WrittenEvidence {
  const evidence = drawEvidence();
  const [, video] = evidence.items;
  const [viewer] = evidence.links[0]?.viewers ?? [];
  if (video === undefined || viewer === undefined) throw new Error('no video, or nobody');
  video.secondsRead = read;
  viewer.lent = [{ mediaId: video.mediaId, stretches: lent }];
  for (const named of evidence.links) named.chancePower = Math.max(-12, named.chancePower);
  if (viewer.certainty) viewer.certainty.chancePower = -12;
  for (const look of evidence.ownLooks) look.lent = [{ mediaId: video.mediaId, stretches: own }];
  return evidence;
}

const checksOf = (evidence: WrittenEvidence): Check[] =>
  verifyEvidence(JSON.stringify(evidence)).filter(({ what }) => /lent|^The seconds read/.test(what));
const verdictsOf = (evidence: WrittenEvidence) => checksOf(evidence).map(({ is }) => is);

describe('seconds that were lent', () => {
  it('are told beside those that were read', () => {
    const mediaId = '';
    const tell = (stretches: Stretches | null) => describeLeased({ mediaId, stretches }, read);
    expect(tell([[0, 60]])).toBe('0:00–1:00 of the video, including all 41 seconds that were read');
    expect(tell(read)).toBe('0:00–0:30 and 0:35–0:46 of the video, including all 41 seconds that were read');
    expect(tell([[10, 40]])).toBe('0:10–0:40 of the video, but not 16 of the 41 seconds that were read');
    expect(tell([])).toBe('nothing of the video, but not 41 of the 41 seconds that were read');
    expect(tell(null)).toBe('which seconds of the video was not recorded at the time');
  });

  it('are compared with what was read of a video in all copies', () => {
    expect(stretchesRead([true, true, false, true])).toEqual([
      [0, 2],
      [3, 4],
    ]);
    const video = { mediaId: 'video', isMoving: true, columns: 60 };
    const items = [
      { ...video, secondsRead: stretchesRead([false, true, true]) },
      { ...video, secondsRead: stretchesRead([true, true]) },
      { mediaId: 'photo', columns: 16 },
    ];
    expect(videosOf(items)).toEqual([{ mediaId: 'video', videoSeconds: 60, read: [[0, 3]] }]);
  });
});

describe('the evidence of a video', () => {
  it('is checked for whether what was read had been lent: yes, no, or not noted then', () => {
    const toGrant = (n: number) =>
      expect.stringMatching(new RegExp(`^Every second of video .*2 that was read had been lent to grant .*${n}$`));
    expect(checksOf(evidenceOf([[0, 50]]))).toEqual([
      { what: 'The seconds read are in order within their video and add up', is: 'right' },
      { what: 'What was lent to everyone named is in order within its video', is: 'right' },
      ...[101, 121, 122].map((n) => ({ what: toGrant(n), is: 'right' })),
    ]);
    expect(checksOf(evidenceOf([[0, 40]]))).toContainEqual({
      what: expect.stringMatching(/101: 6 of 41 had not$/),
      is: 'against',
    });
    expect(verdictsOf(evidenceOf([]))).toEqual(['right', 'right', 'against', 'right', 'right']);
    const unknown = checksOf(evidenceOf(null, null));
    expect(unknown.map(({ is }) => is)).toEqual(['right', 'right', 'open', 'open', 'open']);
    expect(unknown.at(-1)?.what).toMatch(/: not recorded at the time$/);
  });

  it('is wrong where its seconds cannot be', () => {
    const whole: Stretches = [[0, 60]];
    const wrongWhen = (change: (evidence: WrittenEvidence) => void) => {
      const evidence = evidenceOf(whole);
      change(evidence);
      return verdictsOf(evidence);
    };
    const video = ({ items }: WrittenEvidence) => items[1] as WrittenEvidence['items'][number];
    const [counted, reported] = [
      ['wrong', 'right'],
      ['right', 'wrong'],
    ];
    expect(wrongWhen(() => undefined)).toEqual(['right', 'right', 'right', 'right', 'right']);
    // Another second, one too many, one outside of the video, none, and the other way round.
    for (const secondsRead of [
      [[0, 42]],
      [
        [0, 30],
        [30, 41],
      ],
      [[20, 61]],
      undefined,
      read.toReversed(),
    ] as (Stretches | undefined)[])
      expect(wrongWhen((evidence) => Object.assign(video(evidence), { secondsRead }))).toEqual(counted);
    expect(wrongWhen((evidence) => Object.assign(video(evidence), { tilesRead: 42 }))).toEqual(counted);
    for (const stretches of [[[0, 61]], [[-1, 60]], [[5, 5]]] as Stretches[])
      expect(
        wrongWhen(({ ownLooks }) =>
          Object.assign(ownLooks[0] ?? {}, { lent: [{ mediaId: video(evidenceOf(whole)).mediaId, stretches }] }),
        ),
      ).toEqual(reported);
    expect(wrongWhen(({ ownLooks }) => Object.assign(ownLooks[0] ?? {}, { lent: undefined }))).toEqual(reported);
    expect(
      wrongWhen(({ ownLooks }) => ownLooks[0]?.lent?.push({ mediaId: drawEvidence().traceId, stretches: whole })),
    ).toEqual(reported);
  });

  it('is wrong where seconds are told that were not weighed', () => {
    const evidence = evidenceOf([[0, 60]]);
    const { mediaId } = evidence.items[1] as WrittenEvidence['items'][number];
    const visible = Array.from({ length: 60 }, (_, n) => (n < 30 || (n >= 35 && n < 46) ? 1 : 0));
    const verdictOn = (seen: number[], track: 'v480' | 'storyboard' = 'v480') => {
      const reading = { mediaId, track, columns: 60, rows: 1, z: seen.map(() => 0), visible: seen };
      return checksOf({ ...evidence, readings: [reading] }).find(({ what }) => what.includes('weighed'))?.is;
    };
    expect(verdictOn(visible)).toBe('right');
    expect(verdictOn(visible.map(() => 1))).toBe('right');
    expect(verdictOn(visible.with(45, 0))).toBe('wrong');
    expect(verdictOn(visible, 'storyboard')).toBe('wrong');
  });

  it('that was made before it told of lending is one still, and nothing is said of it', async () => {
    const older = evidenceOf([]);
    for (const named of [...older.links.flatMap(({ viewers }) => viewers), ...older.ownLooks]) named.lent = undefined;
    for (const item of older.items) item.secondsRead = undefined;
    expect(verdictsOf(older)).toEqual([]);
    expect((await readPdf(await writeEvidencePdf(older))).words).not.toMatch(/was lent|They are 0:/i);
  });

  it('says on its pages which seconds were read and lent, and that this is no word of a browser', async () => {
    const { words } = await readPdf(await writeEvidencePdf(evidenceOf([[0, 40]], null)));
    expect(words).toContain('41 of 60 seconds were read, mirrored. They are 0:00–0:30 and 0:35–0:46 of the video.');
    expect(words).toMatch(
      /Was lent 0:00–0:40 of the video, but not 6 of the 41 seconds that were read \(video …000002\)\./,
    );
    expect(words).toContain('Was lent which seconds of the video was not recorded at the time (video …000002).');
    expect(words).toContain(
      'according to its own records, up to when this file was made; no browser has any say in them.',
    );
    expect(words).not.toContain('after “played”');
  });
});
