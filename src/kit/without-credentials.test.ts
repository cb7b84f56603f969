import { expect, it } from 'vitest';
import { withoutCredentials } from './without-credentials.ts';

it.each([
  ['bucket photos at https://key:secret@s3.example.com', 'bucket photos at https://s3.example.com'],
  ['postgres://pf:p%40ss@db.example.com:5432/pf?sslpassword=secret', 'postgres://db.example.com:5432/pf'],
  ['smtps://user:an@odd:one@mail.example.com:465', 'smtps://mail.example.com:465'],
  [
    'https://token@api.example.com/v1 and HTTP://a:b@c.example.com#secret',
    'https://api.example.com/v1 and HTTP://c.example.com',
  ],
])('leaves of "%s" where it is', (text, left) => expect(withoutCredentials(text)).toBe(left));

it.each([
  'embedded PostgreSQL in /srv/data/pg (as postgres)',
  'mail server mail.example.com',
  'https://me@',
  'a@b.example.com',
])('leaves "%s" without what lets somebody in', (text) =>
  expect(withoutCredentials(text)).toBe(text.replace('me@', '')),
);
