import fc from 'fast-check';
import type { safeReturnTo } from '#features/accounts/rules.ts';

/** Ways to make another token out of a good one; none may be anybody's. */
export const changes = (signed: string): fc.Arbitrary<string> => {
  const at = signed.lastIndexOf('.');
  const [token, signature] = [signed.slice(0, at), signed.slice(at + 1)];
  const letter = fc.constantFrom(...'abcXYZ019+/=._-%');
  return fc.oneof(
    fc.tuple(fc.nat(signed.length - 1), letter).map(([n, one]) => `${signed.slice(0, n)}${one}${signed.slice(n + 1)}`),
    fc.nat(signed.length - 1).map((length) => signed.slice(0, length)),
    fc.tuple(letter, fc.boolean()).map(([one, isBefore]) => (isBefore ? `${one}${signed}` : `${signed}${one}`)),
    fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => `${text}.${signature}`),
    fc.base64String({ minLength: 44, maxLength: 44 }).map((text) => `${token}.${text}`),
    fc.constantFrom(
      token,
      `${token}.`,
      `.${signature}`,
      `${token}.${token}`,
      `${signature}.${token}`,
      `${token}..${signature}`,
      signed.toLowerCase(),
      signed.toUpperCase(),
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
      'null',
      'undefined',
      '[object Object]',
    ),
  );
};

/** A good token in every place where none is looked for. */
export const misplacedOf = (signed: string, userId: string): Record<string, string>[] => [
  ...['', 'Basic ', 'Token ', 'bearer: ', 'Bearer Bearer '].map((scheme) => ({ authorization: `${scheme}${signed}` })),
  ...['session_token', 'pf.session', 'PF.SESSION_TOKEN', '__Secure-pf.session_token', '__Host-pf.session_token'].map(
    (name) => ({ cookie: `${name}=${encodeURIComponent(signed)}` }),
  ),
  { 'x-session-token': signed, 'x-user-id': userId },
];

const origin = 'https://privatefans.example';
/** Words behind `returnTo`, for which somebody was sent to the door, that would lead to another site or run as a script. */
export const elsewheres = fc.oneof(
  fc.constantFrom(
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
  ),
  fc.constantFrom(
    '/\t/evil.example',
    '/.//evil.example',
    '/albums//..//evil.example',
    'data:text/html,x',
    '/@evil.example',
  ),
  fc
    .array(fc.constantFrom('/', '\\', '.', '..', '@', ':', 'evil.example', '%2f', '%5c', '\t', '\n', '?', '#', ' '), {
      maxLength: 9,
    })
    .map((parts) => parts.join('')),
  fc.webUrl(),
  fc.string({ maxLength: 40 }),
);
/** Returns which of them a way back takes to somewhere else than this site. */
export const leadAway = (wayBack: typeof safeReturnTo, all: readonly string[]): string[] =>
  all.filter((wanted) => {
    const place = wayBack(wanted, origin);
    return place !== undefined && (!URL.canParse(place, origin) || new URL(place, origin).origin !== origin);
  });
