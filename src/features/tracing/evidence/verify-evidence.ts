import { createHash } from 'node:crypto';
import { codewordTrack, commitment as commit } from '#features/media/formats/codeword.ts';
import type { Suspect } from '../findings.ts';
import { firstHash, hashRows, hashSeal } from '../log/seals.ts';
import { countClimbs, countHypotheses, lnProbable, secondsShown, shownPower, wordOf } from '../rules.ts';
import { isSignatureValid } from '../signature.ts';
import { weighSuspects } from '../verdict/judge.ts';
import { addsUp, areInOrder, countSeconds } from '../verdict/time-ranges.ts';
import { describeNamed, wordings } from '../verdict-texts.ts';
import { decisionRules, EvidenceFile, nameViewers } from './evidence-file.ts';
import { compareSeconds, joinStretches, type ReadVideo, stretchesRead, videosOf } from './leased-ranges.ts';

/**
 * One thing that was checked; `is` is 'open' where the file does not hold what it takes, and 'against' where what is true speaks
 * against its answer.
 */
export interface Check {
  what: string;
  is: 'right' | 'wrong' | 'against' | 'open';
}

const check = (what: string, isRight: boolean): Check => ({ what, is: isRight ? 'right' : 'wrong' });

/** What no program can tell from the file alone. */
export const openQuestions = [
  'Whether the numbers read per tile come from the copy: this needs the stored photos. `pf trace` on the installation reads the copy again.',
  "Whether that many codewords were candidates, and that many traces came before: this needs the installation's database.",
  'Names, visits, what was lent and what happened to the copy: the installation says so and has signed it; nothing else in the file proves it.',
  'Whether the log was rewritten by whoever runs the installation: this needs an older backup, or a hash of the audit log that someone else kept.',
  'Who held the phone: the mark names a link and its viewer record, not a person.',
];

/** What stands beside the file. */
export interface Beside {
  /** The copies that it is about. */
  leaks?: readonly Buffer[];
  /** The key by which the installation is known, from somewhere else than the file. */
  key?: string | undefined;
}

/**
 * Checks an evidence file by itself: its signature, commitments, seals, the chain, its words and the chance.
 * @throws when it is no evidence file
 */
export function verifyEvidence(text: string, { leaks = [], key }: Beside = {}): Check[] {
  const whole = JSON.parse(text);
  const file = EvidenceFile.parse(whole);
  return [
    ...checkSignature(whole, file, key),
    ...checkLeaks(file, leaks),
    ...checkCommitments(file),
    ...checkSeals(file),
    ...checkWords(file),
    ...checkPlayed(file),
    ...checkLeased(file),
    ...checkDecision(file),
    ...(file.decision.wasDisclosed
      ? [{ what: 'A codeword named here was disclosed before the copy was submitted', is: 'open' } as const]
      : []),
  ];
}

function checkSignature(
  { signature: _, ...rest }: object & { signature: unknown },
  file: EvidenceFile,
  key?: string,
): Check[] {
  const { publicKey } = file.signature;
  return [
    check(`Nothing has changed since the key ${publicKey} signed it`, isSignatureValid(rest, file.signature)),
    key === undefined
      ? { what: "That key is the installation's: `pf evidence-key` there shows it", is: 'open' }
      : check(`That key is the one you gave`, publicKey === key),
  ];
}

function checkLeaks({ leak, together }: EvidenceFile, leaks: readonly Buffer[]): Check[] {
  const given = new Set(leaks.map((bytes) => createHash('sha256').update(bytes).digest('hex')));
  const shown = [leak.sha256, ...together.map(({ sha256 }) => sha256)];
  return [
    ...shown.map(
      (sha256): Check => ({ what: `A copy has the SHA-256 ${sha256}`, is: given.has(sha256) ? 'right' : 'open' }),
    ),
    ...[...given]
      .filter((sha256) => !shown.includes(sha256))
      .map((sha256) => check(`The file is about the copy ${sha256}`, false)),
  ];
}

/** Everything that is told in words follows from what is named. */
function checkWords({ statement, decision, links, ownLooks, commitments }: EvidenceFile): Check[] {
  const viewers = links.flatMap((link) => link.viewers.filter(({ certainty }) => certainty !== null));
  const named = [...links.map(({ linkId }) => linkId), ...[...viewers, ...ownLooks].map(({ grantId }) => grantId)];
  const words = [...links, ...ownLooks].map(({ word }) => word);
  const shown = { links: links.map(nameViewers), ownLooks };
  const isSaid = wordings.some((wording) => statement === describeNamed(shown, wording));
  return [
    check('The statement matches what is named', isSaid),
    check('The outcome matches what is named', decision.outcome === (words.includes('traced') ? 'traced' : words[0])),
    check('The rule is the one that applies', decisionRules.includes(decision.rule)),
    check('Everyone named was a candidate', new Set(named).size <= decision.issued),
    check(
      'A codeword was fixed for everyone named',
      named.every((id) => commitments.some((commitment) => commitment.id === id)),
    ),
  ];
}

/** Files that are older, or of photos only, tell of nothing that was played. */
function checkPlayed({ links }: EvidenceFile): Check[] {
  const visits = links.flatMap(({ viewers }) => viewers).flatMap((viewer) => viewer.visits);
  const all = visits.flatMap(({ looks }) => looks.flatMap(({ played }) => played ?? []));
  return all.length === 0
    ? []
    : [check('The seconds played are in order within their video and add up', all.every(addsUp))];
}

/**
 * Returns whether who is named had been lent the keys of what was read. Several who made a copy together, and a clip that goes on after its
 * video, show seconds that one of them was not lent: that makes no file wrong. Older files, and those of photos only, tell nothing.
 */
function checkLeased({ items, links, ownLooks, readings }: EvidenceFile): Check[] {
  const viewers = links.flatMap((link) => link.viewers.filter(({ certainty }) => certainty !== null));
  const named = [...viewers, ...ownLooks];
  if ([...named.map(({ lent }) => lent), ...items.map(({ secondsRead }) => secondsRead)].every((shown) => !shown))
    return [];
  const videos = videosOf(items);
  const isCounted = items.every(
    ({ isMoving, secondsRead = [], tilesRead, columns }) =>
      !isMoving || (areInOrder(secondsRead, columns) && countSeconds(secondsRead) === tilesRead),
  );
  const areShown = named.every(
    ({ lent = [] }) => lent.length === videos.length && videos.every((video) => liesIn(lent, video)),
  );
  return [
    check('The seconds read are in order within their video and add up', isCounted),
    ...(readings === null || !isCounted
      ? []
      : [
          check(
            'The seconds read are among those weighed',
            videos.every((video) => wereWeighed(video, readings)),
          ),
        ]),
    check('What was lent to everyone named is in order within its video', areShown),
    ...(isCounted && areShown ? named.flatMap((one) => videos.map((video) => checkLeasedTo(one, video))) : []),
  ];
}

type LentTo = { grantId: string; lent?: EvidenceFile['ownLooks'][number]['lent'] };

const liesIn = (lent: NonNullable<LentTo['lent']>, { mediaId, videoSeconds }: ReadVideo): boolean =>
  lent.some((one) => one.mediaId === mediaId && (one.stretches === null || areInOrder(one.stretches, videoSeconds)));

/** A reading may hold more: of a copy that was deleted since. */
function wereWeighed({ mediaId, read }: ReadVideo, readings: NonNullable<EvidenceFile['readings']>): boolean {
  const ofVideo = readings.filter((one) => one.mediaId === mediaId && codewordTrack(one.track) === 'video');
  const weighed = joinStretches(ofVideo.flatMap(({ visible }) => stretchesRead(secondsShown(visible))));
  return compareSeconds(read, weighed).missing === 0;
}

function checkLeasedTo({ grantId, lent = [] }: LentTo, { mediaId, read }: ReadVideo): Check {
  const stretches = lent.find((one) => one.mediaId === mediaId)?.stretches ?? null;
  const what = `Every second of video ${mediaId} that was read had been lent to grant ${grantId}`;
  if (stretches === null) return { what: `${what}: not recorded at the time`, is: 'open' };
  const { missing, of } = compareSeconds(read, stretches);
  return missing === 0 ? check(what, true) : { what: `${what}: ${missing} of ${of} had not`, is: 'against' };
}

function checkCommitments({ commitments, seals, leak, madeAt }: EvidenceFile): Check[] {
  return commitments.flatMap(({ kind, id, seq, at, commitment, seed, sealN, sealedAt }) => {
    const name = `${kind} ${id}`;
    const isIn = (row: { seq: number; id: string; commitment: string }) =>
      row.seq === seq && row.id === id && row.commitment === commitment;
    const isHeld = seals.find(({ n }) => n === sealN)?.rows?.some(isIn) === true;
    const opened: Check =
      seed === null
        ? { what: `The codeword of ${name} matches its commitment`, is: 'open' }
        : check(
            `The codeword of ${name} matches its commitment`,
            commit(id, Buffer.from(seed, 'hex')).toString('hex') === commitment,
          );
    // A file that was made within the minute: its seal had not come.
    if (sealN === null || sealedAt === null) {
      const what = `A seal holds the commitment of ${name}`;
      return [opened, Date.parse(madeAt) - Date.parse(at) > sealedWithinMs ? check(what, false) : { what, is: 'open' }];
    }
    return [
      opened,
      check(`The commitment of ${name} is row ${seq} of the log and held by seal ${sealN}`, isHeld),
      check(
        `It was made (${at}) and sealed (${sealedAt}) before the copy was submitted (${leak.uploadedAt})`,
        at <= leak.uploadedAt && sealedAt <= leak.uploadedAt,
      ),
    ];
  });
}

/** Seals are made every minute; a busy installation may be late. */
const sealedWithinMs = 10 * 60_000;

function checkSeals({ creatorId, seals }: EvidenceFile): Check[] {
  const [first] = seals;
  if (first === undefined) return [{ what: 'The chain of seals', is: 'open' }];
  const isWhole = seals.every(({ n, previous, rowsHash, hash, rows }, at) => {
    const before = at === 0 ? (n === 1 ? firstHash.toString('hex') : previous) : seals[at - 1]?.hash;
    const isNext = at === 0 || n === (seals[at - 1]?.n ?? 0) + 1;
    const bytes = (text: string) => Buffer.from(text, 'hex');
    const ofRows =
      rows === null ||
      hashRows(rows.map((row) => ({ ...row, at: new Date(row.at), commitment: bytes(row.commitment) }))).toString(
        'hex',
      ) === rowsHash;
    const made = hashSeal(creatorId, n, bytes(previous), bytes(rowsHash)).toString('hex');
    return isNext && previous === before && ofRows && made === hash;
  });
  return [check(`Seals ${first.n} to ${seals.at(-1)?.n} match their rows and each other`, isWhole)];
}

/** Everything that is named, weighed again; with the seeds of nobody else it needs the file's own count of codewords. */
function checkDecision({ decision, links, ownLooks, commitments, readings }: EvidenceFile): Check[] {
  const { issued, hypotheses, compared, items, earlierTraces } = decision;
  const counted = countHypotheses({ candidates: compared, items, earlierTraces });
  const checks = [check(`${hypotheses} hypotheses follow from what was tried`, counted === hypotheses)];
  const seeds = new Map(commitments.flatMap(({ id, seed }) => (seed === null ? [] : [[id, Buffer.from(seed, 'hex')]])));
  if (readings === null || seeds.size === 0) return [...checks, { what: 'The chance of a coincidence', is: 'open' }];
  const weighed = weighSuspects(readings, suspectsOf(links, ownLooks, seeds), lnProbable(issued, hypotheses));
  const weigh = (id: string, name: string, said: Said, lnChance: number | undefined): Check => {
    const what = describeChanceOf(`${name} ${id}`, said);
    if (!seeds.has(id)) return { what, is: 'open' };
    const climbs = countClimbs({ earlierTraces, timesNamed: said.timesNamed });
    const chance = issued * hypotheses * climbs * Math.exp(lnChance ?? 0);
    return check(what, wordOf(chance) === said.word && shownPower(chance) === said.chancePower);
  };
  for (const link of links) {
    const ofLink = weigh(link.linkId, 'link', link, weighed.links.get(link.linkId));
    // Its half and a viewer's together may name a link where that viewer cannot be named: then their codeword stays closed.
    const hasClosed = link.viewers.every(({ grantId }) => !seeds.has(grantId));
    checks.push(ofLink.is === 'wrong' && hasClosed ? { ...ofLink, is: 'open' } : ofLink);
    for (const { grantId, certainty } of link.viewers) {
      const said = certainty && { ...certainty, timesNamed: link.timesNamed };
      if (said) checks.push(weigh(grantId, 'grant', said, weighed.grants.get(grantId)));
    }
  }
  for (const look of ownLooks) checks.push(weigh(look.grantId, 'grant', look, weighed.ownLooks.get(look.grantId)));
  return checks;
}

/** What the file says of one that it names. */
type Said = { word: string; chancePower: number; timesNamed: number };

const describeChanceOf = (name: string, { chancePower }: { chancePower: number }) =>
  `What was read names ${name} with a chance of coincidence below 10^${chancePower}`;

/** Those whose seeds are in the file; a link without a named viewer is weighed by its half alone. */
function suspectsOf(
  links: EvidenceFile['links'],
  ownLooks: EvidenceFile['ownLooks'],
  seeds: ReadonlyMap<string, Buffer>,
): Suspect[] {
  const unknown = Buffer.alloc(32);
  const ofLinks = links.flatMap(({ linkId, viewers }): Suspect[] => {
    const seed = seeds.get(linkId);
    if (seed === undefined) return [];
    const link = { linkId, linkSeed: seed };
    const known = viewers.flatMap(({ grantId }) => {
      const own = seeds.get(grantId);
      return own ? [{ grantId, grantSeed: own, link }] : [];
    });
    return known.length > 0 ? known : [{ grantId: linkId, grantSeed: unknown, link }];
  });
  const own = ownLooks.flatMap(({ grantId }) => {
    const seed = seeds.get(grantId);
    return seed ? [{ grantId, grantSeed: seed }] : [];
  });
  return [...ofLinks, ...own];
}
