import type { TraceOutcome } from './contract.ts';

/** What the sentence of an answer is about. */
export interface Said {
  outcome: TraceOutcome;
  /** What it points at most surely: a link and, where that is as sure, its viewer. */
  link?: { linkName: string; person?: { name: string; isYou: boolean } | undefined; chancePower: number } | undefined;
  /** Or a look that belongs to no link. */
  ownLook?: { isSupport: boolean; chancePower: number } | undefined;
  /** Only one album was compared. */
  isOneAlbum: boolean;
  /** The copy moves. */
  isClip?: boolean;
  wording?: Wording;
}

/**
 * How a sentence names its link; those of older evidence stay right. Until 23 November 2026 its name stood alone ("what Bob was
 * shown through Bob"), until the 24th only a link that is named after its viewer was called a link: many are named after somebody.
 */
export const wordings = ['now', 'namesake', 'alone'] as const;
type Wording = (typeof wordings)[number];

/** A chance as people read it: "1 in 1,000,000". */
export const describeChance = (chancePower: number): string => `1 in ${(10 ** -chancePower).toLocaleString('en')}`;

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The same where there is little room: "1 in 10⁶". */
export const describePower = (chancePower: number): string =>
  `1 in 10${Array.from(String(-chancePower), (digit) => raised[Number(digit)]).join('')}`;

/** Returns what holds for each of several who are named: what can be said of the least sure. */
export const weakestPower = (named: readonly { chancePower: number }[]): number =>
  Math.max(...named.map(({ chancePower }) => chancePower));

const nameLink = (linkName: string) => linkName || 'Untitled Link';

/** The one sentence in which a trace ends. It names a link and what it showed, never somebody's guilt. */
export function describeTrace({ outcome, link, ownLook, isOneAlbum, isClip = false, wording = 'now' }: Said): string {
  if (outcome === 'no_match') {
    const place = isOneAlbum ? 'this album' : 'your albums';
    return isClip
      ? `Nothing from ${place} was found in this clip. If it shows photos, submit a screenshot of each one.`
      : `This picture isn't in ${place}.`;
  }
  if (outcome === 'inconclusive') return 'Not enough of the mark could be read.';
  const what = link === undefined ? whatWasOwn(ownLook?.isSupport === true) : whatWasShown(link, wording);
  if (outcome === 'probable') return `Probably from what ${what}. Not certain enough to act on alone.`;
  const chancePower = link?.chancePower ?? ownLook?.chancePower ?? -3;
  return `This copy was made from what ${what}. The chance that this is a coincidence is below ${describeChance(chancePower)}.`;
}

const whatWasOwn = (isSupport: boolean) =>
  isSupport ? 'support was shown, not through a link' : 'you were shown yourself, in your studio';

function whatWasShown({ linkName, person }: NonNullable<Said['link']>, wording: Wording): string {
  const isCalled = wording === 'now' || (wording === 'namesake' && linkName !== '' && linkName === person?.name);
  const shown = `shown through ${isCalled ? `the link “${nameLink(linkName)}”` : nameLink(linkName)}`;
  if (person === undefined) return `was ${shown}`;
  return person.isYou ? `you were ${shown}` : `${person.name} was ${shown}`;
}

type Sure = { word: 'traced' | 'probable'; chancePower: number };

/** Everything that an answer names. */
export interface NamedWords {
  links: readonly (Sure & {
    linkName: string;
    viewers: readonly { name: string; isYou: boolean; certainty: Sure | null }[];
  })[];
  ownLooks: readonly (Sure & { isSupport: boolean })[];
}

/**
 * The sentence about what an answer points at most surely; undefined when it names nothing. A viewer is named in it only when that
 * is as certain as its words, and with the larger of both chances.
 */
export function describeNamed({ links, ownLooks }: NamedWords, wording: Wording = 'now'): string | undefined {
  const [surest] = bySureness([...links, ...ownLooks]);
  if (surest === undefined) return;
  const said = { outcome: surest.word, isOneAlbum: true, wording };
  if (!('linkName' in surest)) return describeTrace({ ...said, ownLook: surest });
  const { linkName, word, chancePower, viewers } = surest;
  const [viewer] = bySureness(
    viewers.flatMap(({ name, isYou, certainty }) => (certainty ? [{ ...certainty, name, isYou }] : [])),
  ).filter((sure) => sure.word === 'traced' || word === 'probable');
  const power = Math.max(chancePower, viewer?.chancePower ?? chancePower);
  const person = viewer && { name: viewer.name, isYou: viewer.isYou };
  return describeTrace({ ...said, link: { linkName, chancePower: power, person } });
}

const bySureness = <T extends { chancePower: number }>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => a.chancePower - b.chancePower);

/** Stands beside an answer that names a codeword which is known outside. */
export const disclosedWords =
  'A codeword named here left this installation in an earlier evidence file (JSON), before this copy was submitted. Anyone who has that file could have made this copy.';

/** Stands beside an answer that was to count another copy too. */
export const otherGoneWords =
  'The other copy was deleted before both could be weighed together, so this result is based on one copy alone.';

/** What a person reads when a copy could not be traced at all. */
export const failWords = {
  UNSUPPORTED:
    "This file type isn't supported. Upload a photo or a screenshot (JPEG, PNG, WebP, HEIC or AVIF), or a clip (MP4, MOV, WebM or MKV).",
  CORRUPT: 'This file is damaged. Save it again from where you found it, and upload that.',
  TOO_BIG: 'This copy is too large or too long. Upload a smaller copy, or a shorter part of it.',
  TIMEOUT: 'Reading it took too long. Upload a smaller copy, or try again later.',
  NO_ENGINE:
    "This installation can't read videos: its operator needs to install ffmpeg. Photos and screenshots can still be traced.",
} as const;

/** What a mark can and cannot tell: stands beside every answer and in every evidence file. */
export const limitWords = [
  'It identifies a link and its viewer record, not a person: links can be forwarded, anyone who knows the address can become one of its viewers, including whoever made the link, and others may be looking at the same screen.',
  'Small crops (less than 10 to 15 % of the photo), pictures redrawn by software, tiny thumbnails, and three or more viewers who use software to combine their copies of a single photo may defeat it.',
  'Every second of a video carries one bit: clips shorter than about 40 seconds (a minute and a half if badly re-encoded) and stills from a video can rarely identify anyone. If viewers combine their copies of a video, it takes a longer clip, or the mark is defeated.',
  'No website can prevent a screenshot. The mark makes copying harder and copies traceable.',
  'Whoever runs this installation could forge such a file. That is why every codeword is fixed in advance in a log that can only be added to and is sealed every minute.',
] as const;
