import { createHash } from 'node:crypto';
import { commitment as commit } from '#features/media/codeword.ts';
import type { Suspect } from './evidence.ts';
import { EvidenceFile } from './evidence-file.ts';
import { weighSuspects } from './judge.ts';
import { countHypotheses, lnProbable, shownPower, wordOf } from './rules.ts';
import { firstHash, hashRows, hashSeal } from './seals.ts';

/** One thing that was checked; `is` is 'open' where the file does not hold what it takes. */
export interface Check {
  what: string;
  is: 'right' | 'wrong' | 'open';
}

const check = (what: string, isRight: boolean): Check => ({ what, is: isRight ? 'right' : 'wrong' });

/** What no program can tell from the file alone. */
export const openQuestions = [
  'That the numbers read per tile come from the copy: that needs the stored photos. `pf trace` on the installation reads the copy anew.',
  'That so many codewords stood to choice, and so many traces came before: that needs the installation’s database.',
  'That the log was not written anew by whoever runs the installation: that needs an older backup, or a hash of the audit log that somebody else kept.',
  'Who held the phone: the mark names a link and its viewer record, not a person.',
];

/**
 * Checks an evidence file by itself: commitments, seals, the chain, and the chance.
 * @param leak the copy, when it is at hand
 * @throws when it is no evidence file
 */
export function verifyEvidence(text: string, leak?: Buffer): Check[] {
  const file = EvidenceFile.parse(JSON.parse(text));
  return [
    ...checkLeak(file, leak),
    ...checkCommitments(file),
    ...checkSeals(file),
    ...checkDecision(file),
    ...(file.decision.wasDisclosed
      ? [{ what: 'A codeword that is named here was disclosed before the copy was handed in', is: 'open' } as const]
      : []),
  ];
}

function checkLeak({ leak }: EvidenceFile, copy: Buffer | undefined): Check[] {
  const what = `The copy has the SHA-256 ${leak.sha256}`;
  if (copy === undefined) return [{ what, is: 'open' }];
  return [check(what, createHash('sha256').update(copy).digest('hex') === leak.sha256)];
}

function checkCommitments({ commitments, seals, leak }: EvidenceFile): Check[] {
  return commitments.flatMap(({ kind, id, seq, at, commitment, seed, sealN, sealedAt }) => {
    const name = `${kind} ${id}`;
    const isIn = (row: { seq: number; id: string; commitment: string }) =>
      row.seq === seq && row.id === id && row.commitment === commitment;
    const isHeld = seals.find(({ n }) => n === sealN)?.rows?.some(isIn) === true;
    const opened: Check =
      seed === null
        ? { what: `The codeword of ${name} fits to its commitment`, is: 'open' }
        : check(
            `The codeword of ${name} fits to its commitment`,
            commit(id, Buffer.from(seed, 'hex')).toString('hex') === commitment,
          );
    // A file that was made within the minute: its seal had not come.
    if (sealN === null || sealedAt === null)
      return [opened, { what: `A seal that holds the commitment of ${name}`, is: 'open' }];
    return [
      opened,
      check(`The commitment of ${name} is row ${seq} of the log and held by seal ${sealN}`, isHeld),
      check(
        `It was made (${at}) and sealed (${sealedAt}) before the copy was handed in (${leak.uploadedAt})`,
        at <= leak.uploadedAt && sealedAt <= leak.uploadedAt,
      ),
    ];
  });
}

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
  return [check(`Seals ${first.n} to ${seals.at(-1)?.n} hold their rows and each other`, isWhole)];
}

/** Everything that is named, weighed anew; with the seeds of nobody else it needs the file's own count of codewords. */
function checkDecision({ decision, links, ownLooks, commitments, readings }: EvidenceFile): Check[] {
  const { issued, hypotheses, compared, items, earlierTraces } = decision;
  const counted = countHypotheses({ candidates: compared, items, earlierTraces });
  const checks = [check(`${hypotheses} hypotheses follow from what was tried`, counted === hypotheses)];
  const seeds = new Map(commitments.flatMap(({ id, seed }) => (seed === null ? [] : [[id, Buffer.from(seed, 'hex')]])));
  if (readings === null || seeds.size === 0) return [...checks, { what: 'The chance of a coincidence', is: 'open' }];
  const weighed = weighSuspects(readings, suspectsOf(links, ownLooks, seeds), lnProbable(issued, hypotheses));
  const fits = (said: { word: string; chancePower: number }, lnChance: number | undefined): boolean => {
    const chance = issued * hypotheses * Math.exp(lnChance ?? 0);
    return wordOf(chance) === said.word && shownPower(chance) === said.chancePower;
  };
  for (const link of links) {
    const isRight = fits(link, weighed.links.get(link.linkId));
    const what = tellChanceOf(`link ${link.linkId}`, link);
    // Its half and a viewer's together may name a link where that viewer cannot be named: then their codeword stays closed.
    const hasClosed = link.viewers.every(({ certainty }) => certainty === null);
    checks.push(!isRight && hasClosed ? { what, is: 'open' } : check(what, isRight));
    for (const { grantId, certainty } of link.viewers)
      if (certainty !== null)
        checks.push(check(tellChanceOf(`grant ${grantId}`, certainty), fits(certainty, weighed.grants.get(grantId))));
  }
  for (const look of ownLooks)
    checks.push(check(tellChanceOf(`grant ${look.grantId}`, look), fits(look, weighed.ownLooks.get(look.grantId))));
  return checks;
}

const tellChanceOf = (name: string, { chancePower }: { chancePower: number }) =>
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
