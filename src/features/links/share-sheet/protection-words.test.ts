import { expect, it } from 'vitest';
import { Policy } from '../policy.ts';
import { describeNameReaders, nameProtection } from './protection-words.ts';

it.each([
  [{}, []],
  [{ holdToView: true }, ['hold to view']],
  [{ mark: 'tiled' }, ['marked all over']],
  [{ mark: 'corner', blurWhenUnfocused: false }, ['marked in a corner', 'visible beside other windows']],
  [{ autoResponse: { do: 'close', threshold: 3 } }, ['closes after 3 attempts to copy']],
  [{ autoResponse: { do: 'warn' } }, ['warns after 1 attempt to copy']],
  [{ recipientInMark: true }, ['their name in the mark']],
  [{ holdToView: true, mark: 'off' }, ['hold to view', 'no visible mark']],
])('%j reads as %j', (rules, words) => {
  expect(nameProtection(Policy.parse(rules))).toEqual(words);
});

it('a name is for its creator alone unless the link shows it', () => {
  expect(describeNameReaders(Policy.parse({}))).toBe('Only you see it.');
  expect(describeNameReaders(Policy.parse({ recipientInMark: true }))).toMatch(/^Whoever opens the link sees it/);
});
