import { PdfLayout } from '#engines/pdf/pdf-layout.ts';
import type { TakedownLetter } from '../contract.ts';

/** What a letter says of the trace that it is made from. It names nobody whom the trace names. */
export interface LetterFacts extends TakedownLetter {
  traceId: string;
  /** Of the copy, in hexadecimal. */
  sha256: string;
  submittedAt: Date;
  /** When each original of what is shown was uploaded, and its SHA-256. */
  originals: readonly { uploadedAt: Date; sha256: string }[];
  now: Date;
}

const claims = {
  intimate:
    'It shows me in an intimate picture that I shared in private. I have not consented to its publication. Publishing it without consent is against the law in many places, among them the TAKE IT DOWN Act of the United States, which gives a platform 48 hours to remove it.',
  copyright:
    'It is a copy of a work whose copyright is mine or that I am authorized to act for. Neither I nor the law has permitted its publication there.',
} as const;

/** Writes the letter by which a creator asks whoever hosts a copy to take it down. @returns a PDF */
export async function writeTakedownLetter(facts: LetterFacts): Promise<Buffer> {
  const { kind, address, name, email, traceId, now } = facts;
  const title = 'Request to remove a picture';
  const pdf = await PdfLayout.open(title, now.toISOString());
  pdf.write(title, 'title');
  pdf.write(formatDay(now), 'small');
  pdf.write('To whoever operates this address:');
  pdf.write(address, 'lead');
  pdf.write('I ask you to remove what is published there, and every copy of it that you host.');
  pdf.write(claims[kind]);
  writeProof(pdf, facts);
  pdf.write('What I ask for', 'heading');
  pdf.write(
    'Please remove it or disable access to it without delay, keep it from being uploaded again, and tell me that you have done so. Please keep what shows who uploaded it: I may ask for it through a court.',
  );
  pdf.write('My statement', 'heading');
  pdf.write(
    kind === 'copyright'
      ? 'I have a good-faith belief that the use of this work is not authorized by its owner, the owner’s agent or the law. The information in this letter is accurate, and under penalty of perjury I am the owner or authorized to act for the owner.'
      : 'I have a good-faith belief that this picture was published without my consent. The information in this letter is accurate.',
  );
  pdf.list([
    ['Signed', name],
    ['Email', email],
    ['Date', formatDay(now)],
  ]);
  return pdf.close(`Trace ${traceId}`);
}

function writeProof(pdf: PdfLayout, { traceId, sha256, submittedAt, originals }: LetterFacts): void {
  pdf.write('How I know that it is mine', 'heading');
  pdf.write(
    'The copy was compared with the originals that I keep at PrivateFans, where they are encrypted and shared by private links only. It shows what these originals show:',
  );
  pdf.list([
    ['Copy', ['SHA-256', sha256]],
    ['Submitted', `${formatTime(submittedAt)} UTC, as trace ${traceId}`],
    ...originals.map(
      (original) =>
        ['Original', [`uploaded ${formatTime(original.uploadedAt)} UTC, SHA-256`, original.sha256]] as const,
    ),
  ]);
  pdf.write('An evidence file with the whole comparison can be given to a court or to the police.');
}

const formatTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');
const formatDay = (at: Date): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(at);
