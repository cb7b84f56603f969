import { beforeAll, describe, expect, it } from 'vitest';
import { spell } from '#engines/pdf/pdf-glyphs.ts';
import { PdfLayout } from '#engines/pdf/pdf-layout.ts';
import { drawEvidence, longName, longWords } from '#tests/support/tracing/evidence-case.ts';
import { type PlacedText, readPdf } from '#tests/support/tracing/read-pdf.ts';
import { describePlace } from '../page-texts.ts';
import type { WrittenEvidence } from './evidence-file.ts';
import { writeEvidencePdf } from './evidence-pdf.ts';

type Visit = WrittenEvidence['links'][number]['viewers'][number]['visits'][number];

const evidence = drawEvidence();
let texts: readonly PlacedText[];
let words = '';
let pages = 0;

beforeAll(async () => {
  ({ texts, words, pages } = await readPdf(await writeEvidencePdf(evidence)));
});

const time = (at: string) => at.slice(0, 19).replace('T', ' ');

const titles = ['Visit from', 'to', 'Place and device', 'Rules', 'View recorded at, lasted'];

/** Returns what stands in the table, row by row: a row begins with a time at the margin. */
function readTable(): string[] {
  const rows: Map<number, string[]>[] = [];
  for (const { text, left } of texts.filter(({ size, base }) => size === 7.5 && base > 50)) {
    if (titles.includes(text)) continue;
    if (left === 56 && /^\d{4}-/.test(text)) rows.push(new Map());
    const row = rows.at(-1);
    row?.set(left, [...(row.get(left) ?? []), text]);
  }
  return rows.map((row) =>
    [...row]
      .sort(([a], [b]) => a - b)
      .map(([, lines]) => lines.join(' '))
      .join(' | '),
  );
}

const rowOf = (visit: Visit): string =>
  [
    time(visit.startedAt),
    visit.endedAt === null ? 'open' : time(visit.endedAt),
    describePlace(visit),
    visit.policyVersion,
    visit.looks.map(({ at, msVisible }) => `${time(at)}, ${msVisible / 1000} s`).join(' ') || 'shown, no view recorded',
  ].join(' | ');

describe('the pages of an evidence file', () => {
  it('hold the hash of the copy, of what was weighed with it, of each original and of each stored form', () => {
    const [other] = evidence.together;
    expect(words).toContain(`The copy SHA-256 ${evidence.leak.sha256} File image/jpeg, 1080 × 1350 pixels`);
    expect(words).toContain(
      `Weighed with another copy, trace ${other?.traceId} ${other?.sha256} 2 pictures from it, side by side, taken at second 2.3, 5.7.`,
    );
    for (const { mediaId, sha256, uploadedAt, packs } of evidence.items) {
      expect(words).toContain(` ${mediaId} Original uploaded ${time(uploadedAt)} UTC, SHA-256 ${sha256} Read `);
      for (const pack of packs)
        expect(words).toContain(`Rendition ${pack.rendition} pack ${pack.packId}, SHA-256 ${pack.sha256}`);
    }
    expect(words).toContain('231 of 256 tiles were read.');
    expect(words).toContain('41 of 60 seconds were read, mirrored.');
  });

  it('tell the decision with all its numbers, and that a codeword was known outside', () => {
    const { rule, issued, hypotheses, compared, earlierTraces } = evidence.decision;
    expect(words).toContain(evidence.statement.slice(0, 60));
    expect(words).toContain(`Outcome traced Rule ${rule}`);
    expect(words).toContain(`N = ${issued} codewords were candidates.`);
    expect(words).toContain(`H = ${hypotheses}: ${compared} photos or videos compared,`);
    expect(words).toContain(`Earlier traces of the same items that count: ${earlierTraces}.`);
    expect(words).toContain('had been disclosed in an earlier evidence file');
  });

  it('tell of each link its rules by version, its chance, and those of its viewers who are named', () => {
    for (const { linkId, policies } of evidence.links) {
      const versions = policies.map(({ version, at }) => `version ${version}, from ${time(at)} UTC`).join(' ');
      expect(words).toContain(`Link ${linkId} Rules ${versions}`);
    }
    const [{ viewers: [viewer] = [] } = {}, { viewers: [open] = [] } = {}] = evidence.links;
    expect(words).toContain(`Answer Traced: chance of a coincidence below 1 in 1${',000'.repeat(11)}.`);
    expect(words).toContain(
      'Answer Probable: chance of a coincidence below 1 in 100,000; not certain enough to act on',
    );
    expect(words).toContain('Named before in 2 earlier traces');
    expect(words).toContain(`${viewer?.name} Viewer ${viewer?.viewerId} Grant ${viewer?.grantId}`);
    expect(words).toContain(
      "The copy matches this viewer's own half of the mark. Traced: chance of a coincidence below",
    );
    expect(words).toContain(
      `A viewer Viewer ${open?.viewerId} Grant ${open?.grantId} Answer It is not known whether the copy was made from this view.`,
    );
    expect(words).toContain('Was shown it from 2026-11-20 09:03:00 to 2026-11-25 07:20:00 UTC');
    expect(words).toContain('Other viewers of this link who were shown what was found: 3. They are not named here.');
  });

  it('list every visit of who is named: when, where, on what, under which rules, and what was looked at', () => {
    const visits = evidence.links.flatMap(({ viewers }) => viewers.flatMap((viewer) => viewer.visits));
    expect(visits).toHaveLength(40);
    expect(readTable()).toEqual(visits.map(rowOf));
  });

  it('tell of looks that belong to no link whose they were', () => {
    const [own, support] = evidence.ownLooks;
    expect(words).toContain(
      `A view by the creator, in the studio Answer Traced: chance of a coincidence below 1 in 1,000,000,000. Grant ${own?.grantId} Named before in 1 earlier trace of`,
    );
    expect(words).toContain(
      `A view by support, not through a link Answer Probable: chance of a coincidence below 1 in 10,000; not certain enough to act on alone. Grant ${support?.grantId}`,
    );
  });

  it('hold of everybody who is named the commitment, its row of the log, and the seal that holds it', () => {
    for (const { kind, id, commitment, seq, at, sealN, sealedAt } of evidence.commitments) {
      const seal = evidence.seals.find(({ n }) => n === sealN);
      const held = seal && sealedAt ? `${seal.hash} seal ${seal.n}, ${time(sealedAt)} UTC` : 'not sealed yet';
      expect(words).toContain(
        `For the ${kind} ${id} Commitment ${commitment} row ${seq} of the log, ${time(at)} UTC Seal ${held}`,
      );
    }
    const [first, , last] = evidence.seals;
    expect(words).toContain(
      `The chain of seals 7 to 9 Before it ${first?.previous} Seal 7 ${first?.hash} Seal 9 ${last?.hash}`,
    );
    expect(words).toContain(`Public key ${evidence.signature.publicKey}`);
  });

  it('tell what became of the copy, the method, the limits, and what is left out', () => {
    for (const { at, what } of evidence.custody) expect(words).toContain(`${time(at)} ${what}`);
    for (const line of [...evidence.method, ...evidence.limits]) expect(words).toContain(line);
    for (const left of ['4 more earlier traces', '12 more visits', '30 more seals'])
      expect(words).toContain(`There are ${left}, which are not listed here.`);
  });

  it('name the creator and support as what they are where they came through a link', async () => {
    const [link, ...others] = drawEvidence().links;
    if (link === undefined) throw new Error('no link');
    const [viewer] = link.viewers;
    if (viewer === undefined) throw new Error('no viewer');
    const own = [
      { ...viewer, name: 'you', isOwn: true },
      { ...viewer, name: 'support', isOwn: true, isSupport: true },
    ];
    const pdf = await writeEvidencePdf({ ...evidence, links: [{ ...link, viewers: own }, ...others] });
    const reported = (await readPdf(pdf)).words;
    expect(reported).toContain(`The creator, through this link Viewer ${viewer.viewerId}`);
    expect(reported).toContain(`Support, through this link Viewer ${viewer.viewerId}`);
  });
});

describe('how the pages are set', () => {
  it('keeps everything within the margins, with nothing over anything else', () => {
    for (const { text, left, right, base, size } of texts) {
      expect([text, left >= 56, right <= 595.28 - 55.5, base >= 34, base + size <= 841.89 - 50]).toEqual([
        text,
        ...[true, true, true, true],
      ]);
    }
    const doesMeet = (a: PlacedText, b: PlacedText) =>
      a.page === b.page &&
      a.left < b.right - 0.1 &&
      b.left < a.right - 0.1 &&
      a.base - 0.2 * a.size < b.base + 0.75 * b.size &&
      b.base - 0.2 * b.size < a.base + 0.75 * a.size;
    const meeting = texts.flatMap((a, at) => texts.slice(at + 1).flatMap((b) => (doesMeet(a, b) ? [[a, b]] : [])));
    expect(meeting).toEqual([]);
  });

  it('numbers every page, and puts the head of a table on each that it goes on to', () => {
    const onPage = (page: number) => texts.filter((text) => text.page === page);
    for (let page = 1; page <= pages; page++)
      expect(onPage(page).map(({ text }) => text)).toEqual(
        expect.arrayContaining([`Evidence of trace ${evidence.traceId}`, `Page ${page} of ${pages}`]),
      );
    const look = /^(2026-11-2\d \d\d:\d\d:00, \d+ s|shown, no view recorded)$/;
    const withVisits = new Set(texts.filter(({ text }) => look.test(text)).map(({ page }) => page));
    expect(withVisits.size).toBeGreaterThan(2);
    const heads = texts.filter(({ text }) => text === 'Visit from').map(({ page }) => page);
    expect(heads).toEqual([...withVisits]);
  });

  it('never parts a heading from what it is of, nor the lines of one value, wherever a page ends', async () => {
    const pdf = await PdfLayout.open('Blocks', evidence.madeAt);
    for (let n = 0; n < 60; n++) {
      pdf.write(`heading${n}`, 'heading');
      pdf.write(`name${n}`, 'name');
      pdf.list([
        [`label${n}`, [`first${n}`, `second${n}`]],
        ['more', [`third${n}`, ...Array.from({ length: 6 }, () => 'more'), `last${n}`]],
      ]);
      for (let line = 0; line < (7 * n) % 11; line++) pdf.write('text');
    }
    const read = await readPdf(await pdf.close('Blocks'));
    expect(read.pages).toBeGreaterThan(10);
    const pageOf = new Map(read.texts.map(({ text, page }) => [text, page]));
    for (let n = 0; n < 60; n++) {
      const pagesOf = (...parts: string[]) => new Set(parts.map((part) => pageOf.get(`${part}${n}`)));
      expect([n, pagesOf('heading', 'name', 'label', 'first', 'second').size]).toEqual([n, 1]);
      expect([n, pagesOf('third', 'last').size]).toEqual([n, 1]);
    }
  });
});

describe('names from everywhere', () => {
  it('stand in their own letters, or as their numbers in Unicode, and never as something that could be another', () => {
    expect(words).toContain('Олександра Łukaszewska');
    expect(words.replaceAll(' ', '')).toContain(`“${longName}”`);
    expect(words).toContain(longWords.slice(0, 60));
    // What is read from the right lies there in the order in which it is drawn, each letter in its joined form.
    expect(words).toContain('“يلع دمحم”');
    expect(words).toContain('made for [U+5C71 U+7530] [U+592A U+90CE] [U+1F319]');
    expect(words).toContain('A character that these pages cannot show appears as its Unicode number');
    expect(words).not.toMatch(/[?\uFFFD]/);
  });

  it('are not told apart by what nobody sees, nor made equal by what the face lacks', () => {
    const known = new Set(Array.from('abc [U+0456BF]é❤', (letter) => letter.codePointAt(0) ?? 0));
    const spelled = (text: string) => spell(text, known);
    expect(spelled('你好 世')).toBe('[U+4F60 U+597D] [U+4E16]');
    expect([spelled('a[U+4F60]'), spelled('你[U+4F60]')]).toEqual(['a[U+005B]U+4F60]', '[U+4F60 U+005B]U+4F60]']);
    expect([spelled('a\u202Eb'), spelled('a\u200Bb'), spelled('a\u00ADb')]).toEqual([
      'a[U+202E]b',
      'a[U+200B]b',
      'a[U+00AD]b',
    ]);
    expect([spelled('e\u0301'), spelled('❤\uFE0F'), spelled('a\n\t b')]).toEqual(['é', '❤', 'a b']);
    const names = ['你', '好', '[U+4F60]', '?', '\uFFFD', '𠮷'];
    expect(new Set(names.map(spelled)).size).toBe(names.length);
  });

  it('can be in any letter: none of the face breaks the pages, and each is read back as itself or as its number', async () => {
    const pdf = await PdfLayout.open('Letters', evidence.madeAt);
    const letters = [...pdf.known].filter((code) => code > 0x20).map((code) => String.fromCodePoint(code));
    expect(letters.length).toBeGreaterThan(5000);
    pdf.write(letters.join(' '));
    pdf.write(letters.join(''));
    pdf.write('नमस्ते สวัสดี 안녕 ሰላም ⵜⴰⵎⴰⵣⵉⵖⵜ ᐃᓄᒃ ߒߞߏ');
    const read = await readPdf(await pdf.close('Letters'));
    const pieces = (text: string) => text.match(/U\+[0-9A-F]+|\S/gu) ?? [];
    const found = new Set(pieces(read.words));
    const lost = letters.filter((letter) => !pieces(spell(letter, pdf.known)).every((piece) => found.has(piece)));
    expect(lost).toEqual([]);
    expect(read.words).not.toContain('\uFFFD\uFFFD');
  });
});
