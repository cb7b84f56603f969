import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';
import type { WrittenEvidence } from './evidence-file.ts';
import { tellChance } from './words.ts';

/** A4 in points, and its margin. */
const [pageWidth, pageHeight, margin] = [595.28, 841.89, 56];
const [ink, quiet] = [rgb(0.16, 0.11, 0.16), rgb(0.42, 0.36, 0.42)];

interface Style {
  size: number;
  isBold?: boolean;
  isQuiet?: boolean;
  /** Space above. */
  above?: number;
}
const styles = {
  title: { size: 20, isBold: true },
  heading: { size: 13, isBold: true, above: 14 },
  text: { size: 10 },
  small: { size: 8, isQuiet: true },
} satisfies Record<string, Style>;

/** Writes lines down a page, and on to the next. */
class Paper {
  readonly #document: PDFDocument;
  readonly #fonts: { plain: PDFFont; bold: PDFFont };
  readonly #known: ReadonlySet<number>;
  #page: PDFPage;
  #y = pageHeight - margin;

  constructor(document: PDFDocument, fonts: { plain: PDFFont; bold: PDFFont }) {
    this.#document = document;
    this.#fonts = fonts;
    this.#known = new Set(fonts.plain.getCharacterSet());
    this.#page = document.addPage([pageWidth, pageHeight]);
  }

  write(text: string, style: Style = styles.text): void {
    const { size, isBold = false, isQuiet = false, above = 2 } = style;
    const font = isBold ? this.#fonts.bold : this.#fonts.plain;
    this.#y -= above;
    for (const line of wrap(this.#readable(text), font, size)) {
      const height = size * 1.4;
      if (this.#y - height < margin) this.#turn();
      this.#y -= height;
      this.#page.drawText(line, { x: margin, y: this.#y, size, font, color: isQuiet ? quiet : ink });
    }
  }

  /** The standard fonts have Latin letters only: others stand as `?` here, and as they are in the JSON file. */
  #readable(text: string): string {
    return Array.from(text, (letter) => (this.#known.has(letter.codePointAt(0) ?? 0) ? letter : '?')).join('');
  }

  #turn(): void {
    this.#page = this.#document.addPage([pageWidth, pageHeight]);
    this.#y = pageHeight - margin;
  }
}

function wrap(text: string, font: PDFFont, size: number): string[] {
  const most = pageWidth - 2 * margin;
  const fits = (line: string) => font.widthOfTextAtSize(line, size) <= most;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).flatMap((whole) => (fits(whole) ? [whole] : (whole.match(/.{1,60}/g) ?? [])))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (!fits(longer)) lines.push(line);
    line = fits(longer) ? longer : word;
  }
  return [...lines, line];
}

/** The evidence as pages to hand on. They hold no codeword: the JSON file does, for a program that checks it. */
export async function writeEvidencePdf(evidence: WrittenEvidence): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.setTitle(`Evidence of trace ${evidence.traceId}`);
  document.setProducer('PrivateFans');
  document.setCreationDate(new Date(evidence.madeAt));
  document.setModificationDate(new Date(evidence.madeAt));
  const [plain, bold] = [
    await document.embedFont(StandardFonts.Helvetica),
    await document.embedFont(StandardFonts.HelveticaBold),
  ];
  const paper = new Paper(document, { plain, bold });
  writeAnswer(paper, evidence);
  writeItems(paper, evidence);
  for (const link of evidence.links) writeLink(paper, link);
  writeLog(paper, evidence);
  paper.write('Chain of custody', styles.heading);
  for (const { at, what } of evidence.custody) paper.write(`${at}  ${what}`);
  const { custody, visits, seals } = evidence.cut;
  for (const [count, what] of [
    [custody, 'earlier traces'],
    [visits, 'visits'],
    [seals, 'seals'],
  ] as const)
    if (count > 0) paper.write(`There are ${count} more ${what}, which are not listed here.`);
  paper.write('Method', styles.heading);
  for (const words of evidence.method) paper.write(words);
  paper.write('What this cannot tell', styles.heading);
  for (const words of evidence.limits) paper.write(words);
  return Buffer.from(await document.save());
}

function writeAnswer(paper: Paper, { statement, traceId, madeAt, leak, together, decision }: WrittenEvidence): void {
  paper.write('Where this copy came from', styles.title);
  paper.write(`Trace ${traceId}, made ${madeAt} by PrivateFans`, styles.small);
  paper.write(statement, { size: 13, above: 12 });
  if (decision.wasDisclosed)
    paper.write(
      'The codeword of those that are named here had been disclosed in an earlier evidence file before this copy was handed in. Whoever had that file could have drawn this copy.',
      { ...styles.text, isBold: true },
    );
  paper.write('The copy', styles.heading);
  paper.write(`SHA-256 ${leak.sha256}`);
  paper.write(`${leak.mime}, ${leak.width} x ${leak.height}, ${leak.sizeBytes} bytes, handed in ${leak.uploadedAt}`);
  for (const copy of together)
    paper.write(`Weighed together with another copy of the same leak, trace ${copy.traceId}, SHA-256 ${copy.sha256}`);
  paper.write('The decision', styles.heading);
  paper.write(`Outcome: ${decision.outcome}. Rule: ${decision.rule}.`);
  paper.write(
    `N = ${decision.issued} codewords stood to choice. H = ${decision.hypotheses} hypotheses: ${decision.compared} photos or videos compared, in two sizes, mirrored or not, weighed in two ways, every codeword asked twice, and raised by every earlier trace.`,
  );
  paper.write(`Traces of the same items that were made before this one: ${decision.earlierTraces}.`);
}

function writeItems(paper: Paper, { items }: WrittenEvidence): void {
  paper.write('What was found in it', styles.heading);
  for (const item of items) {
    paper.write(
      `${item.isMoving ? 'Video' : 'Item'} ${item.mediaId}, uploaded ${item.uploadedAt}, SHA-256 of the original ${item.sha256}`,
    );
    const mirrored = item.isMirrored ? ', mirrored' : '';
    paper.write(
      `${item.tilesRead} of ${item.columns * item.rows} ${item.isMoving ? 'seconds' : 'tiles'} were read${mirrored}.`,
    );
    for (const pack of item.packs)
      paper.write(`Stored form ${pack.rendition}, ${pack.packId}, SHA-256 ${pack.sha256}`, styles.small);
  }
}

function writeLink(paper: Paper, link: WrittenEvidence['links'][number]): void {
  const name = link.linkName || 'Untitled Link';
  paper.write(`Link "${name}"${link.recipientName ? `, made for ${link.recipientName}` : ''}`, styles.heading);
  paper.write(
    `${link.word === 'traced' ? 'Traced' : 'Probable'}: chance of a coincidence below ${tellChance(link.chancePower)}. Link ${link.linkId}.`,
  );
  if (link.timesNamed > 0)
    paper.write(
      `Earlier traces of the same photos or videos that named this link: ${link.timesNamed}; each raised the bar for it.`,
    );
  const policies = link.policies.map(({ version, at }) => `version ${version} from ${at}`).join('; ');
  paper.write(`Rules of the link: ${policies || 'unknown'}.`, styles.small);
  for (const viewer of link.viewers) {
    const sure = viewer.certainty
      ? `the copy fits this viewer's own half, chance of a coincidence below ${tellChance(viewer.certainty.chancePower)}`
      : 'whether the copy was made from this view is open';
    const name = viewer.name === '' ? 'A viewer' : viewer.name;
    paper.write(`${name} (viewer ${viewer.viewerId}, grant ${viewer.grantId}): ${sure}.`, {
      size: 10,
      above: 6,
    });
    paper.write(`Was shown what was found from ${viewer.firstShownAt} to ${viewer.lastShownAt}.`);
    for (const visit of viewer.visits) writeVisit(paper, visit);
  }
  if (link.otherViewers > 0)
    paper.write(
      `Other viewers of this link who were shown what was found: ${link.otherViewers}. They are not named here.`,
    );
}

function writeVisit(paper: Paper, visit: WrittenEvidence['links'][number]['viewers'][number]['visits'][number]): void {
  const place = visit.country ? `${visit.country}${visit.isCountryEstimated ? ' (estimated)' : ''}` : 'place unknown';
  const device = [visit.device, visit.browser].filter(Boolean).join(', ') || 'unknown device';
  const looks = visit.looks.map(({ at, msVisible }) => `${at} for ${Math.round(msVisible / 1000)} s`).join('; ');
  paper.write(
    `Visit ${visit.startedAt} to ${visit.endedAt ?? 'open'}: ${device}, ${place}, rules version ${visit.policyVersion}. Looked at it: ${looks || 'shown in the gallery'}.`,
    styles.small,
  );
}

function writeLog(paper: Paper, { commitments, seals, signature }: WrittenEvidence): void {
  paper.write('Codewords, as they were fixed beforehand', styles.heading);
  for (const { kind, id, seq, at, commitment, sealN, sealedAt } of commitments) {
    const seal = sealN === null ? 'not sealed yet' : `held by seal ${sealN} of ${sealedAt}`;
    paper.write(`${kind} ${id}: row ${seq} of the log, ${at}, ${seal}`);
    paper.write(`Commitment ${commitment}`, styles.small);
  }
  const [first, last] = [seals[0], seals.at(-1)];
  if (first && last)
    paper.write(`Chain of seals ${first.n} to ${last.n}: ${first.hash} ... ${last.hash}`, styles.small);
  paper.write(`The JSON file of this evidence is signed by the key ${signature.publicKey}.`, styles.small);
}
