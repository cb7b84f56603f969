import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evidenceFormat, methodWords } from './evidence/evidence-file.ts';
import { describePlace, describeStep, describeTiles, describeVisits, shareShown } from './page-texts.ts';
import {
  describeChance,
  describePower,
  describeTrace,
  failWords,
  limitWords,
  weakestPower,
  wordings,
} from './verdict-texts.ts';

const now = new Date('2026-11-21T12:00:00Z');
const link = { linkName: 'Golden hour', person: { name: 'Bob', isYou: false }, chancePower: -6 };

describe('the sentence of a trace', () => {
  it('names the link and its viewer with the chance of a coincidence', () => {
    expect(describeTrace({ outcome: 'traced', link, isOneAlbum: true })).toBe(
      'This copy was made from what Bob was shown through the link “Golden hour”. The chance that this is a coincidence is below 1 in 1,000,000.',
    );
    expect(
      describeTrace({ outcome: 'traced', link: { ...link, person: undefined, linkName: '' }, isOneAlbum: true }),
    ).toMatch(/^This copy was made from what was shown through the link “Untitled Link”\./);
    // Named after the person that it was made for.
    expect(describeTrace({ outcome: 'traced', link: { ...link, linkName: 'Bob' }, isOneAlbum: true })).toMatch(
      /^This copy was made from what Bob was shown through the link “Bob”\./,
    );
    const you = { name: 'you', isYou: true };
    expect(describeTrace({ outcome: 'traced', link: { ...link, person: you }, isOneAlbum: true })).toMatch(
      /^This copy was made from what you were shown through the link “Golden hour”\./,
    );
  });

  it('could be said in older words, which older evidence holds', () => {
    const tell = (linkName: string, wording: (typeof wordings)[number]) =>
      describeTrace({ outcome: 'probable', link: { ...link, linkName }, isOneAlbum: true, wording });
    const words = (way: string) =>
      `Probably from what Bob was shown through ${way}. Not certain enough to act on alone.`;
    expect(wordings.map((wording) => tell('Bob', wording))).toEqual(
      ['the link “Bob”', 'the link “Bob”', 'Bob'].map(words),
    );
    expect(wordings.map((wording) => tell('Beach', wording))).toEqual(
      ['the link “Beach”', 'Beach', 'Beach'].map(words),
    );
  });

  it('says of several names together no more than holds for the least sure', () =>
    expect([weakestPower([{ chancePower: -12 }, { chancePower: -4 }]), weakestPower([link])]).toEqual([-4, -6]));

  it('says of a look in the studio whose it was', () => {
    const tell = (isSupport: boolean) =>
      describeTrace({ outcome: 'traced', ownLook: { chancePower: -9, isSupport }, isOneAlbum: true });
    expect(tell(false)).toMatch(
      /^This copy was made from what you were shown yourself, in your studio\. .* 1 in 1,000,000,000\.$/,
    );
    expect(tell(true)).toMatch(/^This copy was made from what support was shown, not through a link\. /);
  });

  it('says at once that a probable answer is not enough to act on, and no chance', () => {
    expect(describeTrace({ outcome: 'probable', link: { ...link, chancePower: -4 }, isOneAlbum: true })).toBe(
      'Probably from what Bob was shown through the link “Golden hour”. Not certain enough to act on alone.',
    );
  });

  it('says nothing about anybody else', () => {
    expect(describeTrace({ outcome: 'inconclusive', isOneAlbum: true })).toBe('Not enough of the mark could be read.');
    expect(describeTrace({ outcome: 'no_match', isOneAlbum: false })).toBe("This picture isn't in your albums.");
    expect(describeTrace({ outcome: 'no_match', isOneAlbum: true })).toBe("This picture isn't in this album.");
    expect(describeTrace({ outcome: 'no_match', isOneAlbum: false, isClip: true })).toBe(
      'Nothing from your albums was found in this clip. If it shows photos, submit a screenshot of each one.',
    );
  });

  it('says where a single photo stops to tell: at three who work together, by the vote of the fewest', () => {
    const words = limitWords.join(' ');
    expect(words).toMatch(
      /three or more viewers who use software to combine their copies of a single photo may defeat it\./,
    );
    expect(words).toMatch(/clips shorter than about 40 seconds \(a minute and a half if badly re-encoded\)/);
    // What is promised elsewhere is promised with the same end: in the account of what tracing withstands, and of threats.
    const reported = (file: string) => readFileSync(`docs/${file}.md`, 'utf8').replace(/\s+/g, ' ');
    expect(reported('tracing')).toMatch(/three or more links that work together with software may defeat it/);
    expect(reported('tracing')).toMatch(
      /Two links that average their copies are found; when they take each tile from either, .*; three .* \(minority vote\) are out of reach for a single photo\./,
    );
    expect(reported('threats')).toMatch(/three viewers who combine their copies may defeat it/);
  });

  it('and all words around it never promise or accuse', () => {
    const all = [...limitWords, ...methodWords, ...Object.values(failWords), evidenceFormat].join(' ');
    expect(all).not.toMatch(/guilt|culprit|thief|blocks screenshots|unremovable|100 ?%|proves? who/i);
  });
});

describe('figures of a trace', () => {
  it('are powers of ten', () => {
    expect([describeChance(-6), describeChance(-12), describePower(-6), describePower(-12)]).toEqual([
      '1 in 1,000,000',
      '1 in 1,000,000,000,000',
      '1 in 10⁶',
      '1 in 10¹²',
    ]);
  });

  it('tell how far it is, which tiles were read, and where a viewer came from', () => {
    expect(describeStep({ state: 'queued', comparing: 0 })).toBe('Waiting its turn');
    expect(describeStep({ state: 'matching', comparing: 0 })).toBe('Comparing it with your albums');
    expect(describeStep({ state: 'matching', comparing: 16 })).toBe('Comparing it with 16 items');
    expect([shareShown({ share: 0 }), shareShown({ share: 0.5 })]).toEqual([0.02, 0.5]);
    expect(describeTiles({ tiles: [true, false, true], isMirrored: true, isMoving: false })).toBe(
      '2 of 3 tiles were read, mirrored',
    );
    expect(describeTiles({ tiles: [true, false], isMirrored: false, isMoving: true })).toBe('1 of 2 seconds were read');
    const person = {
      viewerId: '',
      name: 'Bob',
      isOwn: false,
      isSupport: false,
      isBlocked: false,
      firstShownAt: now,
      certainty: null,
      visits: 1,
      firstVisitAt: now,
      lastVisitAt: now,
      country: 'DE',
      isCountryEstimated: true,
      device: 'iPhone',
      browser: null,
    };
    expect(describePlace(person)).toBe('Germany (estimated) · iPhone');
    expect(describePlace({ ...person, country: null, device: null })).toBe('location unknown · unknown device');
    expect(describeVisits(person, now)).toMatch(/^1 visit, /);
    expect(describeVisits({ ...person, visits: 0 }, now)).toBe('Visits no longer on record');
  });
});
