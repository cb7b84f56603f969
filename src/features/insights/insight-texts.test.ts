import { describe, expect, it } from 'vitest';
import type { Visit } from './contract.ts';
import {
  chartDays,
  describeDispute,
  describeFirstOpening,
  describeFrom,
  describeLink,
  describeRobots,
  describeScreen,
  describeVisit,
  isFirstOpening,
  nameApp,
  nameDay,
  nameDevice,
  nameKnownCountry,
} from './insight-texts.ts';

describe('where from and on what', () => {
  const from = { country: 'DE', isCountryEstimated: false, device: 'iPhone', browser: 'Safari', app: 'instagram' };
  it('is told with its source, and never made up', () => {
    expect(describeFrom(from)).toBe('Germany · iPhone · Instagram');
    expect(describeFrom({ ...from, isCountryEstimated: true, app: null })).toBe('Germany (estimated) · iPhone');
    expect(describeFrom({ ...from, country: null, device: null, app: null })).toBe('location unknown');
    expect([nameKnownCountry(''), nameDevice(''), nameApp(''), nameApp('whatsapp')]).toEqual([
      'Unknown',
      'Unknown device',
      'A browser',
      'WhatsApp',
    ]);
  });
});

describe('a visit as a story', () => {
  const visit = { watchMs: 252_000, itemsSeen: 7, endReason: 'revoked', notCounted: null } as Visit;
  it('says how long, how much and how it ended', () => {
    expect(describeVisit(visit)).toBe('4 min 12 s · 7 items · screen closed by revoking');
    expect(describeVisit({ ...visit, endReason: 'left' })).toBe('4 min 12 s · 7 items');
  });
  it('says of programs that they were refused, and how often', () => {
    expect(describeRobots({ opens: 1 })).toBe('A bot, not a person · refused once');
    expect(describeRobots({ opens: 1200 })).toBe('A bot, not a person · refused 1,200 times');
  });
  it('says why it was not counted', () => {
    expect(describeVisit({ ...visit, endReason: 'left', notCounted: 'own' })).toBe(
      '4 min 12 s · 7 items · Your own visit',
    );
    expect(describeVisit({ ...visit, watchMs: 0, itemsSeen: 0, endReason: 'left', notCounted: 'short' })).toBe(
      'Opened, but nothing was on screen for 2 seconds',
    );
    expect(describeVisit({ ...visit, watchMs: 1000, itemsSeen: 1, endReason: 'idle', notCounted: 'short' })).toBe(
      'Opened, but nothing was on screen for 2 seconds · ended after no activity',
    );
  });
});

describe('the first opening', () => {
  const [own, bob, eve] = [
    { visitId: 'own', notCounted: 'own' },
    { visitId: 'bob', notCounted: null },
    { visitId: 'eve', notCounted: 'short' },
  ] as const;
  it('is the only visit of somebody else, whoever looked before', () => {
    expect(isFirstOpening([bob, own], 'bob')).toBe(true);
    expect(isFirstOpening([own], 'own')).toBe(false);
  });
  it('is not one that others came before, also when they saw nothing for 2 seconds', () => {
    expect(isFirstOpening([bob, eve], 'bob')).toBe(false);
    expect(isFirstOpening([bob, eve], 'eve')).toBe(false);
  });
});

describe('names', () => {
  it('tell the picture and its place, or that the viewer is in the gallery', () => {
    const picture = { mediaId: '', kind: 'photo', thumbhash: '', width: 1, height: 1, place: 7, count: 24 } as const;
    expect(describeScreen({ albumName: 'Golden hour', picture })).toBe('Golden hour · photo 7 of 24');
    expect(describeScreen({ albumName: 'Golden hour', picture: null })).toBe('Golden hour · in the gallery');
  });
  it('tell the link, and for whom it was when somebody else came', () => {
    expect(describeLink({ viewerName: 'Bob', linkName: 'Beach', recipientName: 'Bob' })).toBe('Beach');
    expect(describeLink({ viewerName: 'Viewer 4F2A', linkName: 'Beach', recipientName: 'Bob' })).toBe('Beach, for Bob');
    expect(describeLink({ viewerName: 'Viewer 4F2A', linkName: '', recipientName: null })).toBe('Untitled Link');
    expect(describeLink({ viewerName: 'Eve', linkName: 'Bob, WhatsApp', recipientName: 'Bob' })).toBe('Bob, WhatsApp');
    expect(describeLink({ viewerName: 'Eve', linkName: 'Bobsled', recipientName: 'Bob' })).toBe('Bobsled, for Bob');
  });
  it('tell a first opening, also of a link that has the name of who opened it', () => {
    expect(describeFirstOpening({ viewerName: 'Bob', linkName: 'Beach', recipientName: 'Bob' })).toBe(
      'Bob opened “Beach”',
    );
    expect(describeFirstOpening({ viewerName: 'Bob', linkName: 'Bob', recipientName: 'Bob' })).toBe(
      'Bob opened your link',
    );
    const unknown = { viewerName: 'Viewer 4F2A', linkName: 'Bob', recipientName: null };
    expect(describeFirstOpening(unknown)).toBe('Viewer 4F2A opened “Bob”');
    expect(describeFirstOpening({ ...unknown, linkName: 'Beach', recipientName: 'Bob' })).toBe(
      'Viewer 4F2A opened “Beach”, for Bob',
    );
  });
  it('tell a day as a date, wherever the reader is', () => {
    expect(nameDay('2026-11-12', '2026-11-22', 'en-GB')).toBe('12 Nov');
  });
  it('tell the year of a day that is of another one than the newest', () => {
    expect(nameDay('2025-11-23', '2026-11-22', 'en-GB')).toBe('23 Nov 2025');
    const days = [
      { day: '2025-12-31', views: 3 },
      { day: '2026-01-01', views: 4 },
    ];
    const [before, after] = chartDays(days, ({ views }) => views);
    expect(before).toMatchObject({ day: expect.stringContaining('2025'), value: 3 });
    expect(after).toMatchObject({ day: expect.not.stringContaining('2026'), value: 4 });
  });
});

it('says when somebody disputed a payment, and how it ended', () => {
  const [at, now] = [new Date('2026-05-03T12:00:00Z'), new Date('2026-06-01T12:00:00Z')];
  const reported = (['open', 'won', 'lost'] as const).map((state) => describeDispute({ at, state }, now));
  expect(reported).toEqual([
    expect.stringMatching(/^disputed (3 May|May 3)$/),
    expect.stringMatching(/, the bank decided for you$/),
    expect.stringMatching(/, the bank decided for them$/),
  ]);
});
