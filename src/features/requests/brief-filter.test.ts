import { describe, expect, it } from 'vitest';
import { type BriefRule, findBriefFault } from './brief-filter.ts';

const refused: readonly (readonly [BriefRule, string])[] = [
  ['minors', 'In a school uniform please'],
  ['minors', 'you as a 16 year old'],
  ['minors', 'Play a te\u200benager'],
  ['consent', 'as if it were a hidden camera'],
  ['consent', 'deepfake of my neighbour'],
  ['payment', 'I can send it by PayPal'],
  ['payment', 'happy to pay you directly'],
  ['contact', 'write me at bob@example.com'],
  ['contact', 'call +44 7700 900123'],
  ['contact', 'I am @bob_1990 there'],
  ['contact', 'see www.example.org/x'],
];

describe('a brief', () => {
  it.each(refused)('breaks the rule about %s: %s', (rule, text) => {
    expect(findBriefFault('A photo', text)).toBe(rule);
  });

  it.each([
    'Ten photos at the beach, in a red dress, around sunset.',
    'A 3 minute video in which you say happy birthday to Bob. He turns 30.',
    'Like the album from 2 years ago, but in black and white. Budget is $40.',
    'Portrait, 4:5, size 1080 x 1350. No text in it.',
    'For our anniversary: 10 years together!',
  ])('that says nothing of the kind is taken: %s', (text) => {
    expect(findBriefFault('A photo', text)).toBeUndefined();
  });

  it('is looked at in its title too', () => {
    expect(findBriefFault('Write to bob@example.com', 'A photo')).toBe('contact');
  });
});
