import { describe, expect, it } from 'vitest';
import { type BriefRule, findBriefFault } from './brief-filter.ts';

const refused: readonly (readonly [BriefRule, string])[] = [
  ['minors', 'In a school uniform please'],
  ['minors', 'you as a 16 year old'],
  ['minors', 'Play a te\u200benager'],
  ['minors', 'a 10 year old'],
  ['minors', 'I am 15'],
  ['minors', "I'm only 16, is that okay?"],
  ['minors', '15yo'],
  ['minors', '16 y/o'],
  ['minors', 'aged 12'],
  ['minors', 'at the age of 14'],
  ['minors', 'age: 17'],
  ['minors', 'twelve years old'],
  ['minors', 'a seventeen-year-old'],
  ['minors', '13yr old look'],
  ['minors', 'She is 9 and in the picture'],
  ['minors', 'as you were when you were 14'],
  ['minors', 'Pretend to be 16 for me'],
  ['minors', 'look 12 years, please'],
  ['minors', 'he turned 8 last week'],
  ['minors', '11 years young'],
  ['minors', '15 years of age'],
  ['minors', 'a girl, 15 years, in school'],
  ['minors', '12 years in a skirt'],
  ['minors', 'my 12 years daughter'],
  ['minors', 'they are 15'],
  ['minors', 'made for 10 years olds'],
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
    'We have been married for 12 years now.',
    'To celebrate 10 years as a couple',
    '5 years of friendship',
    'Ten years ago we met here.',
    'Our 15 years in this job end on Friday.',
    'There should be 5 in black and white, or be 10 in total.',
    'They are 10 in all.',
    'In the album there were 5 of you at the beach.',
    'It should be 5 photos, or be 10 minutes of video.',
    'He is 40 and I am 35.',
    'They are 10 pictures, as in your album.',
    'We met 7 years ago; she is 25.',
    'Make it 18 years old whisky on the table',
  ])('that says nothing of the kind is taken: %s', (text) => {
    expect(findBriefFault('A photo', text)).toBeUndefined();
  });

  it('is looked at in its title too', () => {
    expect(findBriefFault('Write to bob@example.com', 'A photo')).toBe('contact');
  });
});
