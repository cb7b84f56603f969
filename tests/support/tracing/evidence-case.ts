import { createHash } from 'node:crypto';
import {
  decisionRule,
  methodWords,
  nameViewers,
  type WrittenEvidence,
} from '#features/tracing/evidence/evidence-file.ts';
import { describeNamed, limitWords } from '#features/tracing/verdict-texts.ts';

const hash = (of: string) => createHash('sha256').update(of).digest('hex');
const id = (n: number) => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const time = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 9, minutes)).toISOString();

/** 120 letters without a space, and as many in words: the longest that a link may be called. */
export const longName = 'Überfüllungsgebührenverordnung'.repeat(4);
export const longWords = 'Καλοκαίρι στη θάλασσα με φίλους – '.repeat(4).slice(0, 119).trim();

const devices = [
  ['DE', 'iPhone', 'Safari'],
  ['GB', 'Windows', 'Chrome'],
  ['BA', 'Android', 'Samsung Internet'],
  [null, null, null],
] as const;

function visitOf(n: number) {
  const [country, device, browser] = devices[n % devices.length] ?? devices[0];
  // The last one looked more often than a page has lines.
  const looks = Array.from({ length: n === 39 ? 90 : n % 4 }, (_, k) => ({
    mediaId: id(1),
    at: time(180 * n + 1 + k),
    msVisible: 1000 * (n + 2 * k + 1),
  }));
  return {
    visitId: id(1000 + n),
    startedAt: time(180 * n),
    endedAt: n === 39 ? null : time(180 * n + 17),
    policyVersion: 1 + (n > 20 ? 1 : 0),
    country,
    isCountryEstimated: n % 3 === 0 && country !== null,
    device,
    browser,
    looks,
  };
}

type Viewer = WrittenEvidence['links'][number]['viewers'][number];

const viewerOf = (n: number, name: string, visits: number): Viewer => ({
  grantId: id(100 + n),
  viewerId: id(200 + n),
  name,
  isOwn: false,
  isSupport: false,
  certainty: { word: 'traced', chancePower: -19 },
  firstShownAt: time(3),
  lastShownAt: time(7100),
  visits: Array.from({ length: visits }, (_, at) => visitOf(at)),
});

function drawLinks(): WrittenEvidence['links'] {
  return [
    {
      linkId: id(11),
      linkName: longName,
      recipientName: longWords,
      word: 'traced',
      chancePower: -33,
      timesNamed: 2,
      policies: [
        { version: 1, at: time(1) },
        { version: 2, at: time(3700) },
      ],
      viewers: [viewerOf(1, 'Олександра Łukaszewska', 40)],
      otherViewers: 3,
    },
    {
      linkId: id(12),
      linkName: 'محمد علي',
      recipientName: '山田 太郎 🌙',
      word: 'probable',
      chancePower: -5,
      timesNamed: 0,
      policies: [{ version: 1, at: time(2) }],
      viewers: [{ ...viewerOf(2, '', 0), certainty: null }],
      otherViewers: 0,
    },
  ];
}

function drawOwnLooks(): WrittenEvidence['ownLooks'] {
  return [
    { grantId: id(121), word: 'traced', chancePower: -9, timesNamed: 1, isSupport: false },
    { grantId: id(122), word: 'probable', chancePower: -4, timesNamed: 0, isSupport: true },
  ];
}

function drawCommitments(): WrittenEvidence['commitments'] {
  const named = ['link', 'link', 'grant', 'grant', 'grant'] as const;
  return [id(11), id(12), id(101), id(121), id(122)].map((of, n) => ({
    kind: named[n] ?? 'grant',
    id: of,
    seq: 40 + n,
    at: time(n),
    commitment: hash(`commitment ${of}`),
    sealN: n < 4 ? 7 + (n % 2) : null,
    sealedAt: n < 4 ? time(5 + n) : null,
    seed: null,
  }));
}

function drawSeals(): WrittenEvidence['seals'] {
  return [7, 8, 9].map((n) => ({
    n,
    at: time(5 + n),
    previous: hash(`seal ${n - 1}`),
    rowsHash: hash(`rows ${n}`),
    hash: hash(`seal ${n}`),
    rows: null,
  }));
}

/** A photo, and a video that is mirrored. */
function drawItems(): WrittenEvidence['items'] {
  const packs = ['p2048', 'p1280', 'thumb512'].map((rendition, n) => ({
    packId: id(300 + n),
    rendition,
    sha256: hash(rendition),
    columns: 16,
    rows: 16,
  }));
  const item = { traceId: id(0), uploadedAt: time(-600), corners: [], isMirrored: false };
  return [
    { ...item, mediaId: id(1), sha256: hash('photo'), packs, columns: 16, rows: 16, tilesRead: 231 },
    {
      ...item,
      mediaId: id(2),
      sha256: hash('video'),
      packs: [],
      columns: 60,
      rows: 1,
      tilesRead: 41,
      isMoving: true,
      isMirrored: true,
    },
  ];
}

/** The evidence of a trace that names as much as there is to name: two links, own looks, many visits, and names from everywhere. */
export function drawEvidence(): WrittenEvidence {
  const [links, ownLooks] = [drawLinks(), drawOwnLooks()];
  return {
    format: 'privatefans-evidence-1',
    madeAt: time(8000),
    traceId: id(0),
    creatorId: id(9),
    statement: describeNamed({ links: links.map(nameViewers), ownLooks }) ?? '',
    leak: {
      sha256: hash('leak'),
      sizeBytes: 183_402,
      mime: 'image/jpeg',
      width: 1080,
      height: 1350,
      uploadedAt: time(7900),
    },
    together: [{ traceId: id(5), sha256: hash('other leak'), stills: [2.3, 5.7] }],
    items: drawItems(),
    decision: {
      outcome: 'traced',
      rule: decisionRule,
      issued: 10_412,
      hypotheses: 5184,
      compared: 12,
      items: 2,
      earlierTraces: 3,
      wasDisclosed: true,
    },
    links,
    ownLooks,
    commitments: drawCommitments(),
    seals: drawSeals(),
    readings: null,
    custody: [
      { at: time(7900), what: 'The copy was submitted (row 18 of the trace log)' },
      { at: time(7901), what: 'It was read and judged (row 19 of the trace log)' },
      { at: time(8000), what: 'This file was made' },
    ],
    cut: { custody: 4, visits: 12, seals: 30 },
    method: methodWords,
    limits: [...limitWords],
    signature: { publicKey: hash('key'), value: hash('signature') },
  };
}
