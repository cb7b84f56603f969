import { setImmediate as breathe } from 'node:timers/promises';
import { PdfLayout, textWidth } from '#engines/pdf/pdf-layout.ts';
import { formatCount } from '#kit/text.ts';
import { describePlace } from '../page-texts.ts';
import { describePlayed, describeStretches } from '../verdict/time-ranges.ts';
import { describeChance } from '../verdict-texts.ts';
import type { WrittenEvidence } from './evidence-file.ts';
import { describeLeased, videosOf } from './leased-ranges.ts';

type Link = WrittenEvidence['links'][number];
type Viewer = Link['viewers'][number];
type Visit = Viewer['visits'][number];
type Look = Visit['looks'][number];
type Items = WrittenEvidence['items'];

/** The evidence as pages to hand on. They hold no codeword: the JSON file does, for a program that checks it. */
export async function writeEvidencePdf(evidence: WrittenEvidence): Promise<Buffer> {
  const title = `Evidence of trace ${evidence.traceId}`;
  const pdf = await PdfLayout.open(title, evidence.madeAt);
  writeAnswer(pdf, evidence);
  writeItems(pdf, evidence);
  for (const link of evidence.links) await writeLink(pdf, link, evidence.items);
  for (const look of evidence.ownLooks) writeOwnLook(pdf, look, evidence.items);
  writeLog(pdf, evidence);
  writeCustody(pdf, evidence);
  pdf.write('Method', 'heading');
  for (const words of evidence.method) pdf.write(words);
  pdf.write('What this cannot tell you', 'heading');
  for (const words of evidence.limits) pdf.write(words);
  pdf.write('How to read these pages', 'heading');
  pdf.write('All times are in UTC. Hashes are SHA-256, in hexadecimal.');
  if (tellsOfPlaying(evidence))
    pdf.write(
      "Minutes and seconds after “played” are positions in the video itself, not times of day. They are what the viewer's own browser reported while it was open: a browser can be made to report too much, or nothing.",
    );
  if (tellsOfLending(evidence))
    pdf.write(
      'Minutes and seconds after “was lent” are those of the video whose keys this installation handed out under the grant, according to its own records, up to when this file was made; no browser has any say in them. A player is lent keys some way ahead, so they are more than was viewed. Where seconds were read that were not lent, someone else had a part in the copy, or the copy goes on after the video ends.',
    );
  pdf.write(
    'The JSON file of the same evidence contains every number that was weighed; “npm run pf -- verify-evidence FILE” checks it without this installation.',
  );
  if (pdf.hasNumber)
    pdf.write(
      'A character that these pages cannot show appears as its Unicode number in brackets. The JSON file contains every name as it was written.',
    );
  return pdf.close(title);
}

/** "2026-11-21 09:12:44"; the pages say that it is UTC. */
const formatTime = (at: string): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const describeSure = ({ word, chancePower }: { word: 'traced' | 'probable'; chancePower: number }): string => {
  const chance = `chance of a coincidence below ${describeChance(chancePower)}`;
  return word === 'traced' ? `Traced: ${chance}.` : `Probable: ${chance}; not certain enough to act on alone.`;
};

function writeAnswer(pdf: PdfLayout, { statement, traceId, madeAt, leak, together, decision }: WrittenEvidence): void {
  pdf.write('Where this copy came from', 'title');
  pdf.write(`Trace ${traceId} · made ${formatTime(madeAt)} UTC by PrivateFans`, 'small');
  pdf.write(statement, 'lead');
  if (decision.wasDisclosed)
    pdf.write(
      'A codeword named here had been disclosed in an earlier evidence file before this copy was submitted. Anyone who had that file could have made this copy.',
      'warning',
    );
  pdf.write('The copy', 'heading');
  pdf.list([
    ['SHA-256', leak.sha256],
    ['File', `${leak.mime}, ${leak.width} × ${leak.height} pixels, ${leak.sizeBytes.toLocaleString('en')} bytes`],
    ...(leak.stills ? [['Read', describeStills(leak.stills)] as const] : []),
    ['Submitted', `${formatTime(leak.uploadedAt)} UTC`],
    ...together.map(
      ({ traceId: other, sha256, stills }) =>
        [
          'Weighed with',
          [`another copy, trace ${other}`, sha256, ...(stills ? [describeStills(stills)] : [])],
        ] as const,
    ),
  ]);
  pdf.write('The decision', 'heading');
  pdf.list([
    ['Outcome', decision.outcome],
    ['Rule', decision.rule],
    ['Issued', `N = ${decision.issued} codewords were candidates.`],
    [
      'Hypotheses',
      `H = ${decision.hypotheses}: ${decision.compared} photos or videos compared, in two sizes, mirrored or not, weighed in two ways, every codeword tried twice, and increased by every earlier trace.`,
    ],
    ['Earlier traces', `Earlier traces of the same items that count: ${decision.earlierTraces}.`],
  ]);
}

const describeStills = (seconds: readonly number[]): string =>
  `${formatCount(seconds.length, 'picture')} from it, side by side, taken at second ${seconds.map((second) => second.toFixed(1)).join(', ')}.`;

function writeItems(pdf: PdfLayout, { items }: WrittenEvidence): void {
  pdf.write('What was found in it', 'heading');
  for (const item of items) {
    const [kind, parts] = item.isMoving ? ['Video', 'seconds'] : ['Photo', 'tiles'];
    pdf.write(`${kind} ${item.mediaId}`, 'name');
    pdf.list([
      ['Original', [`uploaded ${formatTime(item.uploadedAt)} UTC, SHA-256`, item.sha256]],
      [
        'Read',
        [
          `${item.tilesRead} of ${item.columns * item.rows} ${parts} were read${item.isMirrored ? ', mirrored' : ''}.`,
          ...(item.secondsRead?.length ? [`They are ${describeStretches(item.secondsRead)} of the video.`] : []),
        ],
      ],
      ...item.packs.map(
        ({ rendition, packId, sha256 }) => [`Rendition ${rendition}`, [`pack ${packId}, SHA-256`, sha256]] as const,
      ),
    ]);
  }
}

const tellsOfPlaying = ({ links }: WrittenEvidence): boolean =>
  links.some(({ viewers }) =>
    viewers.some(({ visits }) => visits.some(({ looks }) => looks.some((look) => look.played))),
  );

const tellsOfLending = ({ links, ownLooks }: WrittenEvidence): boolean =>
  [...links.flatMap(({ viewers }) => viewers), ...ownLooks].some(({ lent }) => lent);

async function writeLink(pdf: PdfLayout, link: Link, items: Items): Promise<void> {
  const name = link.linkName || 'Untitled Link';
  const rules = link.policies.map(({ version, at }) => `version ${version}, from ${formatTime(at)} UTC`);
  pdf.write(`Link “${name}”${link.recipientName ? `, made for ${link.recipientName}` : ''}`, 'heading');
  pdf.list([
    ['Answer', describeSure(link)],
    ['Link', link.linkId],
    ['Rules', rules.length > 0 ? rules : 'unknown'],
    ...(link.timesNamed > 0 ? [['Named before', describeNamedBefore(link.timesNamed)] as const] : []),
  ]);
  for (const viewer of link.viewers) await writeViewer(pdf, viewer, items);
  if (link.otherViewers > 0)
    pdf.write(
      `Other viewers of this link who were shown what was found: ${link.otherViewers}. They are not named here.`,
      'note',
    );
}

const describeNamedBefore = (times: number) =>
  `in ${times} earlier ${times === 1 ? 'trace' : 'traces'} of the same photos or videos; each raised the bar for it.`;

async function writeViewer(pdf: PdfLayout, viewer: Viewer, items: Items): Promise<void> {
  const { certainty, visits, isOwn, isSupport } = viewer;
  const name = isOwn ? (isSupport ? 'Support' : 'The creator') : viewer.name || 'A viewer';
  pdf.write(isOwn ? `${name}, through this link` : name, 'name');
  pdf.list([
    ['Viewer', viewer.viewerId],
    ['Grant', viewer.grantId],
    [
      'Answer',
      certainty
        ? `The copy matches this viewer's own half of the mark. ${describeSure(certainty)}`
        : 'It is not known whether the copy was made from this view.',
    ],
    ['Was shown it', `from ${formatTime(viewer.firstShownAt)} to ${formatTime(viewer.lastShownAt)} UTC`],
    ...lendingOf(viewer, items),
  ]);
  if (visits.length === 0) return;
  const writeRow = pdf.openTable(visitColumns);
  for (const [at, visit] of visits.entries()) {
    writeRow(describeVisit(visit, items));
    // A log may have a thousand visits; who waits for keys does not wait for it.
    if (at % 25 === 24) await breathe();
  }
}

const visitColumns = [
  { title: 'Visit from', width: 92 },
  { title: 'to', width: 92 },
  { title: 'Place and device', width: 150 },
  { title: 'Rules', width: 32 },
  { title: 'View recorded at, lasted', width: textWidth - 366 },
];

/** What of each video was lent; older files do not tell. */
const lendingOf = ({ lent = [] }: { lent?: Viewer['lent'] }, items: Items) =>
  videosOf(items).flatMap(({ mediaId, read }) => {
    const one = lent.find((each) => each.mediaId === mediaId);
    return one ? [['Was lent', `${describeLeased(one, read)}${nameVideo(mediaId, items)}.`] as const] : [];
  });

/** Which of several items is meant. */
const nameVideo = (mediaId: string, items: Items): string =>
  items.every((item) => item.mediaId === mediaId) ? '' : ` (video …${mediaId.slice(-6)})`;

/** When a look was noted and how long it had lasted, and what of a video was played; which one, where there are several items. */
function describeLook({ mediaId, at, msVisible, played }: Look, items: Items): string {
  const look = `${formatTime(at)}, ${Math.round(msVisible / 1000)} s`;
  if (played === undefined) return look;
  return `${look}, ${describePlayed(played)}${nameVideo(mediaId, items)}`;
}

const describeVisit = (visit: Visit, items: Items): (string | string[])[] => [
  formatTime(visit.startedAt),
  visit.endedAt === null ? 'open' : formatTime(visit.endedAt),
  describePlace(visit),
  String(visit.policyVersion),
  visit.looks.length === 0 ? 'shown, no view recorded' : visit.looks.map((look) => describeLook(look, items)),
];

/** A look that belongs to no link. */
function writeOwnLook(pdf: PdfLayout, look: WrittenEvidence['ownLooks'][number], items: Items): void {
  const { isSupport, grantId, timesNamed } = look;
  pdf.write(isSupport ? 'A view by support, not through a link' : 'A view by the creator, in the studio', 'heading');
  pdf.list([
    ['Answer', describeSure(look)],
    ['Grant', grantId],
    ...lendingOf(look, items),
    ...(timesNamed > 0 ? [['Named before', describeNamedBefore(timesNamed)] as const] : []),
  ]);
}

function writeLog(pdf: PdfLayout, { commitments, seals, signature }: WrittenEvidence): void {
  pdf.write('Codewords, as fixed in advance', 'heading');
  for (const { kind, id, seq, at, commitment, sealN, sealedAt } of commitments) {
    const seal = seals.find(({ n }) => n === sealN);
    pdf.write(`For the ${kind} ${id}`, 'name');
    pdf.list([
      ['Commitment', [commitment, `row ${seq} of the log, ${formatTime(at)} UTC`]],
      ['Seal', seal && sealedAt ? [seal.hash, `seal ${seal.n}, ${formatTime(sealedAt)} UTC`] : 'not sealed yet'],
    ]);
  }
  const [first, last] = [seals[0], seals.at(-1)];
  if (first && last) {
    pdf.write(`The chain of seals ${first.n} to ${last.n}`, 'name');
    pdf.list([
      ['Before it', first.previous],
      [`Seal ${first.n}`, first.hash],
      ...(last === first ? [] : [[`Seal ${last.n}`, last.hash] as const]),
    ]);
  }
  pdf.write('The key that signed the JSON file of this evidence', 'name');
  pdf.list([['Public key', signature.publicKey]]);
}

function writeCustody(pdf: PdfLayout, { custody, cut }: WrittenEvidence): void {
  pdf.write('Chain of custody', 'heading');
  pdf.list(custody.map(({ at, what }) => [formatTime(at), what]));
  for (const [count, what] of [
    [cut.custody, 'earlier traces'],
    [cut.visits, 'visits'],
    [cut.seals, 'seals'],
  ] as const)
    if (count > 0) pdf.write(`There are ${count} more ${what}, which are not listed here.`);
}
