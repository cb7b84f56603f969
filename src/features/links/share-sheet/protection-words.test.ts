import { expect, it } from 'vitest';
import { Policy } from '../policy.ts';
import { nameProtection } from './protection-words.ts';

it.each([
  [{}, []],
  [{ holdToView: true }, ['hold to view']],
  [{ mark: 'tiled' }, ['marked all over']],
  [{ mark: 'corner', blurWhenUnfocused: false }, ['marked in a corner', 'visible beside other windows']],
  [{ autoResponse: { do: 'close', threshold: 3 } }, ['closes after 3 attempts to copy']],
  [{ autoResponse: { do: 'warn' } }, ['warns after 1 attempt to copy']],
  [{ holdToView: true, mark: 'off' }, ['hold to view', 'no visible mark']],
])('%j reads as %j', (rules, words) => {
  expect(nameProtection(Policy.parse(rules))).toEqual(words);
});
