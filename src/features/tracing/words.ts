import type { TraceOutcome } from './contract.ts';

/** What the sentence of an answer is about. */
export interface Said {
  outcome: TraceOutcome;
  /** The surest link and, where that is known, its viewer. */
  link?: { linkName: string; personName?: string | undefined; chancePower: number } | undefined;
  ownLook?: { chancePower: number } | undefined;
  /** Only one album was compared. */
  isOneAlbum: boolean;
}

/** A chance as people read it: "1 in 1,000,000". */
export const tellChance = (chancePower: number): string => `1 in ${(10 ** -chancePower).toLocaleString('en')}`;

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The same where there is little room: "1 in 10⁶". */
export const tellPower = (chancePower: number): string =>
  `1 in 10${Array.from(String(-chancePower), (digit) => raised[Number(digit)]).join('')}`;

const nameLink = (linkName: string) => linkName || 'Untitled Link';

/** The one sentence in which a trace ends (product, tracing). It names a link and what it showed, never somebody's guilt. */
export function tellTrace({ outcome, link, ownLook, isOneAlbum }: Said): string {
  if (outcome === 'no_match') return `This picture is not in ${isOneAlbum ? 'this album' : 'your albums'}.`;
  if (outcome === 'inconclusive') return 'Not enough of the mark could be read.';
  const chancePower = link?.chancePower ?? ownLook?.chancePower ?? -3;
  if (outcome === 'probable') {
    const whom = link === undefined ? 'you were shown yourself' : whatWasShown(link);
    return `Probably from what ${whom}. Not certain enough to act on alone.`;
  }
  const chance = `The chance that this is a coincidence is below ${tellChance(chancePower)}.`;
  if (link === undefined) return `This copy was made from what you were shown yourself, in your studio. ${chance}`;
  return `This copy was made from what ${whatWasShown(link)}. ${chance}`;
}

const whatWasShown = ({ linkName, personName }: NonNullable<Said['link']>) =>
  personName === undefined
    ? `was shown through ${nameLink(linkName)}`
    : `${personName} was shown through ${nameLink(linkName)}`;

/** What a person reads when a copy could not be traced at all. */
export const failWords = {
  UNSUPPORTED: "This file type isn't supported. Upload a photo or a screenshot: JPEG, PNG, WebP, HEIC or AVIF.",
  CORRUPT: 'This file is damaged. Save it once more from where you found it, and upload that.',
  TOO_BIG: 'This picture is too large. Upload a smaller copy of it.',
  TIMEOUT: 'Reading it took too long. Upload a smaller copy of it, or try again later.',
} as const;

/** What a mark can and cannot tell: stands beside every answer and in every evidence file. */
export const limitWords = [
  'It names a link and its viewer record, not a person: links can be forwarded, and others may look at the same screen.',
  'Small crops (below 10 to 15 % of the photo), pictures redrawn by software, tiny thumbnails, and three or more viewers who combine their copies with software may defeat it.',
  'No website can prevent a screenshot. The mark makes copying hard, and traceable.',
  'Whoever runs this installation could forge such a file. That is why every codeword is fixed beforehand in a log to which rows can only be added, and sealed every minute.',
] as const;
