/**
 * The variables of the environment, and which of them are missing beside others. `npm start` asks this before it installs and
 * builds anything, so it runs on any Node >= 18: no dependencies, no types, nothing newer.
 */

/** What each variable is for. */
export const about = {
  PORT: 'port to listen on, 1 to 65535; default 3000',
  HOST: 'address to listen on, or localhost; default all of them, with TRUSTED_PROXIES localhost',
  DATA_DIR: 'folder for the database, the encrypted files and the keys',
  BACKUP_DIR: 'folder outside DATA_DIR, ideally on another disk, for continuous backups of the embedded database',
  PUBLIC_URL: 'address people type, without a path; default http://localhost:PORT',
  PF_MODE: 'sandbox or live; default sandbox if PUBLIC_URL is a loopback address',
  PF_ROLE: 'web, worker or all',
  PF_KEYS: 'master keys "id:base64,…", newest first; needed with DATABASE_URL',
  PF_SECRET: 'secret for sessions, 32 bytes in base64; needed with DATABASE_URL',
  DATABASE_URL: 'PostgreSQL 15 or newer instead of the embedded one',
  DATABASE_DIRECT_URL: 'the same database without a pooler in between, for migrations and LISTEN',
  S3_BUCKET: 'bucket for the encrypted files instead of DATA_DIR/files',
  S3_ENDPOINT: 'address of the S3 server',
  S3_REGION: 'region of the bucket',
  S3_ACCESS_KEY_ID: 'access key id for the bucket',
  S3_SECRET_ACCESS_KEY: 'secret access key for the bucket',
  SMTP_URL: 'mail server, smtp://user:password@host:587; needed in live mode',
  MAIL_FROM: 'sender of emails, "PrivateFans <hello@example.com>"; needed in live mode',
  STRIPE_SECRET_KEY: 'key of Stripe, best a restricted one; without it the built-in sandbox takes test cards',
  STRIPE_PUBLISHABLE_KEY: 'publishable key of the same account and mode',
  STRIPE_WEBHOOK_SECRET: 'signing secret of the webhook at /api/hooks/stripe; without it that address does not exist',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'the same of /api/hooks/stripe-connect, for events of connected accounts',
  STRIPE_V2_WEBHOOK_SECRET: 'the same of /api/hooks/stripe-v2, for thin events of accounts',
  CONTENT_POLICY: 'no_explicit or adult; adult only starts in a sandbox without keys of Stripe',
  ASSISTANT_URL: 'server of a language model for Sofia, https://host/v1; it must speak the chat protocol of OpenAI',
  ASSISTANT_KEY: 'key for that server',
  ASSISTANT_MODEL: 'name of the model there',
  MAIL_HOOK_SECRET: 'secret that signs what the mail provider reports to /api/hooks/mail, at least 32 characters',
  OPERATOR_NAME: 'who runs this installation, for its terms and privacy policy',
  OPERATOR_EMAIL: 'email address of the operator, for the same pages',
  TRUSTED_PROXIES: 'addresses of the proxies in front, comma-separated',
  LOG_LEVEL: 'debug, info, warn, error or silent; default info, warn in a sandbox',
};

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether an installation is certainly meant for the world: of a mode or an address that is wrong in itself nobody knows. */
export function isLive({ PF_MODE, PUBLIC_URL }) {
  if (PF_MODE !== undefined) return PF_MODE === 'live';
  try {
    const { protocol, hostname, pathname, search, hash, username, password } = new URL(PUBLIC_URL ?? '');
    const isBare = pathname === '/' && [search, hash, username, password].every((part) => part === '');
    return protocol === 'https:' && isBare && !loopback.test(hostname);
  } catch {
    return false;
  }
}

/** Variables of which one needs others. */
const together = [
  { some: ['DATABASE_URL', 'DATABASE_DIRECT_URL'], need: ['DATABASE_URL', 'PF_KEYS', 'PF_SECRET'] },
  {
    some: ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    need: ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  },
  {
    some: ['ASSISTANT_URL', 'ASSISTANT_KEY', 'ASSISTANT_MODEL'],
    need: ['ASSISTANT_URL', 'ASSISTANT_KEY', 'ASSISTANT_MODEL'],
  },
  {
    some: [
      'STRIPE_SECRET_KEY',
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'STRIPE_CONNECT_WEBHOOK_SECRET',
      'STRIPE_V2_WEBHOOK_SECRET',
    ],
    need: ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
  },
];

/** What is missing, one line each. @param given variables that are set, whether they are understood or not */
export function findMissing(given) {
  const need = (names, why) =>
    names.filter((name) => given[name] === undefined).map((name) => `${name}: missing (${why}: ${about[name]})`);
  const lines = together.flatMap(({ some, need: needed }) => {
    const present = some.filter((name) => given[name] !== undefined);
    return present.length === 0 ? [] : need(needed, `with ${present.join(', ')}`);
  });
  const hasBucket = together[1].some.some((name) => given[name] !== undefined);
  if (hasBucket && given.S3_ENDPOINT === undefined)
    lines.push(...need(['S3_REGION'], 'without S3_ENDPOINT the bucket is at Amazon'));
  if (/^0+$/.test(given.PORT ?? '')) lines.push(...need(['PUBLIC_URL'], 'with PORT 0, which is any free port'));
  if (isLive(given)) lines.push(...need(['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM'], 'in live mode'));
  return lines;
}

/** Shorter names are near too much that is no mistake. */
const shortestName = 6;
const allowedFaults = (name) => Math.max(1, Math.floor(name.length / 5));

/** Variables that nobody reads and whose names are nearly those of ours, one line each. */
export function findMistyped(environment) {
  const names = Object.keys(about).filter((name) => name.length >= shortestName);
  return Object.keys(environment).flatMap((said) => {
    if (said in about || !environment[said] || said.length > 40) return [];
    const meant = names.find(
      (name) => environment[name] === undefined && countFaults(said.toUpperCase(), name) <= allowedFaults(name),
    );
    return meant === undefined ? [] : [`${said}: not read, ${meant} may be meant (${about[meant]})`];
  });
}

/** Letters that are missing, too many, wrong or exchanged with their neighbour. */
function countFaults(one, other) {
  let [before, last] = [[], Array.from({ length: other.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? before[j - 2] + 1 : Infinity;
      row.push(Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1), swapped));
    }
    [before, last] = [last, row];
  }
  return last[other.length];
}
