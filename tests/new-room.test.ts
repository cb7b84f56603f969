import { expect, test } from 'vitest';
import { nameAll } from '../scripts/room/names.ts';
import { addPage, addToRouter } from '../scripts/room/wiring.ts';

/** That a stamped room works as it is, is shown by the proof `new-room`. */

test('what a room holds is named after it, or asked for', () => {
  expect(nameAll('requests')).toMatchObject({ noun: 'request', Nouns: 'Requests', table: 'requests' });
  expect(nameAll('support', 'reply')).toMatchObject({ noun: 'reply', nouns: 'replies', Noun: 'Reply' });
  expect(nameAll('compliance', 'gift-card')).toMatchObject({
    nouns: 'gift cards',
    Noun: 'GiftCard',
    table: 'gift_cards',
  });
  expect(nameAll('billing')).toBeUndefined();
  expect(nameAll('billing', 'Not this')).toBeUndefined();
});

test('an app file without the place for a room is left alone', () => {
  expect(addToRouter('export const rooms = [];', 'support')).toBeUndefined();
  expect(addPage("export default [route('*', 'not-found-page.tsx')];", 'support')).toBeUndefined();
});

test('a page comes last in the frame of the studio, whatever is nested there', () => {
  const before = "[layout('pages/studio-page.tsx', [route('/a', 'a.tsx', [index('b.tsx')]),\n]), route('*', 'c.tsx')]";
  expect(addPage(before, 'support')).toBe(
    "[layout('pages/studio-page.tsx', [route('/a', 'a.tsx', [index('b.tsx')]), route('/support', '../features/support/support-page.tsx')]), route('*', 'c.tsx')]",
  );
});
