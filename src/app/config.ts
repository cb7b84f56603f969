import { isIP } from 'node:net';
import path from 'node:path';
import * as z from 'zod';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { parsePfKeys } from '#engines/keys/open-key-ring.ts';
import { backupTroubles, dataTroubles } from './config-folders.ts';

const text = z.string().min(1);
const bytesOfBase64 = (value: string) => Buffer.from(value, 'base64').length;
const webhookSecret = /^whsec_\S+$/;
const mailbox = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/** What is wrong with master keys, in words that tell none of them. */
const keysFault = (value: string): string | undefined => {
  try {
    keyRingOf(parsePfKeys(value));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^PF_KEYS: /, '') : String(error);
  }
};

/** An address, a network, or one of the names that the server knows for networks. */
function isProxy(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.trim().split('/');
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry.trim())) return true;
  const mostBits = isIP(address) === 4 ? 32 : 128;
  const isNetwork = prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= mostBits);
  return isIP(address) !== 0 && more.length === 0 && isNetwork;
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname);

/** Scheme, name and port and nothing else: what is hung on it would be cut off, or stand in the middle of every link. */
function isOrigin(url: string): boolean {
  const { pathname, search, hash, username, password } = new URL(url);
  return pathname === '/' && [search, hash, username, password].every((part) => part === '');
}

/** Every variable of the environment with its sentence; nothing else reads the environment. */
const variables = {
  PORT: {
    shape: text.regex(/^\d+$/, 'must be a number').transform(Number).pipe(z.number().max(65_535)).default(3000),
    about: 'port to listen on, 1 to 65535; default 3000',
  },
  HOST: {
    shape: text.optional(),
    about: 'address to listen on, or localhost; default all of them, with TRUSTED_PROXIES localhost',
  },
  DATA_DIR: { shape: text.default('./data'), about: 'folder for the database, the encrypted files and the keys' },
  BACKUP_DIR: {
    shape: text.optional(),
    about: 'folder outside DATA_DIR, ideally on another disk, for continuous backups of the embedded database',
  },
  PUBLIC_URL: {
    shape: z
      .url({ protocol: /^https?$/ })
      .refine(isOrigin, {
        error: 'must be only https://name or https://name:port',
        when: ({ issues }) => issues.length === 0,
      })
      .refine((value) => new URL(value).protocol === 'https:' || isLoopback(value), {
        error: 'pages need https',
        when: ({ issues }) => issues.length === 0,
      })
      .optional(),
    about: 'address people type, without a path; default http://localhost:PORT',
  },
  PF_MODE: {
    shape: z.enum(['sandbox', 'live']).optional(),
    about: 'sandbox or live; default sandbox if PUBLIC_URL is a loopback address',
  },
  PF_ROLE: { shape: z.enum(['web', 'worker', 'all']).default('all'), about: 'web, worker or all' },
  PF_KEYS: {
    shape: text
      .superRefine((value, wrong) => {
        const message = keysFault(value);
        if (message !== undefined) wrong.addIssue({ code: 'custom', message });
      })
      .optional(),
    about: 'master keys "id:base64,…", newest first; needed with DATABASE_URL',
  },
  PF_SECRET: {
    shape: text.refine((value) => bytesOfBase64(value) >= 32, 'must be at least 32 bytes in base64').optional(),
    about: 'secret for sessions, 32 bytes in base64; needed with DATABASE_URL',
  },
  DATABASE_URL: {
    shape: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    about: 'PostgreSQL 15 or newer instead of the embedded one',
  },
  DATABASE_DIRECT_URL: {
    shape: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    about: 'the same database without a pooler in between, for migrations and LISTEN',
  },
  S3_BUCKET: { shape: text.optional(), about: 'bucket for the encrypted files instead of DATA_DIR/files' },
  S3_ENDPOINT: { shape: z.url({ protocol: /^https?$/ }).optional(), about: 'address of the S3 server' },
  S3_REGION: { shape: text.default('auto'), about: 'region of the bucket' },
  S3_ACCESS_KEY_ID: { shape: text.optional(), about: 'access key id for the bucket' },
  S3_SECRET_ACCESS_KEY: { shape: text.optional(), about: 'secret access key for the bucket' },
  SMTP_URL: {
    shape: z.url({ protocol: /^smtps?$/ }).optional(),
    about: 'mail server, smtp://user:password@host:587; needed in live mode',
  },
  MAIL_FROM: {
    shape: text.regex(mailbox, 'must be a sender address').default('PrivateFans <hello@localhost>'),
    about: 'sender of emails, "PrivateFans <hello@example.com>"; needed in live mode',
  },
  STRIPE_SECRET_KEY: {
    shape: text.regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret or restricted key of Stripe').optional(),
    about: 'key of Stripe, best a restricted one; without it the built-in sandbox takes test cards',
  },
  STRIPE_PUBLISHABLE_KEY: {
    shape: text.regex(/^pk_(test|live)_\w+$/, 'must be a publishable key of Stripe').optional(),
    about: 'publishable key of the same account and mode',
  },
  STRIPE_WEBHOOK_SECRET: {
    shape: text.regex(webhookSecret, 'must be the signing secret of a webhook').optional(),
    about: 'signing secret of the webhook at /api/hooks/stripe; without it that address does not exist',
  },
  STRIPE_CONNECT_WEBHOOK_SECRET: {
    shape: text.regex(webhookSecret, 'must be the signing secret of a webhook').optional(),
    about: 'the same of /api/hooks/stripe-connect, for events of connected accounts',
  },
  STRIPE_V2_WEBHOOK_SECRET: {
    shape: text.regex(webhookSecret, 'must be the signing secret of a webhook').optional(),
    about: 'the same of /api/hooks/stripe-v2, for thin events of accounts',
  },
  CONTENT_POLICY: {
    shape: z.enum(['no_explicit', 'adult']).default('no_explicit'),
    about: 'no_explicit or adult; Stripe does not take payments for adult content',
  },
  ASSISTANT_URL: {
    shape: z.url({ protocol: /^https?$/ }).optional(),
    about: 'server of a language model for Sofia, https://host/v1; it must speak the chat protocol of OpenAI',
  },
  ASSISTANT_KEY: { shape: text.optional(), about: 'key for that server' },
  ASSISTANT_MODEL: { shape: text.max(200).optional(), about: 'name of the model there' },
  MAIL_HOOK_SECRET: {
    shape: text.refine((value) => value.length >= 32, 'must be at least 32 characters').optional(),
    about: 'secret that signs what the mail provider reports to /api/hooks/mail, at least 32 characters',
  },
  OPERATOR_NAME: {
    shape: text.max(200).optional(),
    about: 'who runs this installation, for its terms and privacy policy',
  },
  OPERATOR_EMAIL: { shape: z.email().optional(), about: 'email address of the operator, for the same pages' },
  TRUSTED_PROXIES: {
    shape: text.refine((value) => value.split(',').every(isProxy), 'must be a list of addresses').optional(),
    about: 'addresses of the proxies in front, comma-separated',
  },
  LOG_LEVEL: {
    shape: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
    about: 'debug, info, warn, error or silent; default info, warn in a sandbox',
  },
} as const;

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['shape']> };

export interface Config extends Values {
  publicUrl: string;
  isSandbox: boolean;
  isSecure: boolean;
  dataDir: string;
  /** Where the embedded database and the files are backed up all the time. */
  backupDir: string | undefined;
  /** Where to listen: an address, or `localhost`, which is both loopback addresses. */
  host: string;
}

/**
 * Reads the environment once.
 * @throws one list of all that is wrong, with the sentence of each variable
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const wrong: string[] = [];
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const entries = Object.entries(variables).map(([name, { shape, about }]) => {
    const result = shape.safeParse(given[name]);
    if (!result.success) wrong.push(`${name}: ${result.error.issues[0]?.message ?? 'invalid'} (${about})`);
    return [name, result.data];
  });
  const values = Object.fromEntries(entries) as Values;
  wrong.push(...contradictionsOf(given, values));
  if (wrong.length > 0)
    throw new Error(`The environment variables are not valid:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
  const publicUrl = publicUrlOf(values);
  const isSandbox = (values.PF_MODE ?? (isLoopback(publicUrl) ? 'sandbox' : 'live')) === 'sandbox';
  const isPrivate = isSandbox && values.PF_MODE === undefined;
  return {
    ...values,
    publicUrl,
    isSandbox,
    isSecure: publicUrl.startsWith('https:'),
    dataDir: path.resolve(values.DATA_DIR),
    backupDir: values.BACKUP_DIR === undefined ? undefined : path.resolve(values.BACKUP_DIR),
    host: hostOf(values, isPrivate),
  };
}

/**
 * A private sandbox keeps to loopback whatever `HOST` says: some shells and tools export the machine's name under that name.
 * Behind a proxy nobody else is to come in, past the proxy and with headers that only the proxy may set.
 */
function hostOf({ HOST, TRUSTED_PROXIES }: Values, isPrivate: boolean): string {
  if (isPrivate) return 'localhost';
  return HOST ?? (TRUSTED_PROXIES === undefined ? '::' : 'localhost');
}

const publicUrlOf = ({ PUBLIC_URL, PORT }: Values) => new URL(PUBLIC_URL ?? `http://localhost:${PORT}`).origin;

/** What is there, whether it was understood or not: a value that is wrong in itself is missing nowhere. */
type Given = Record<string, string | undefined>;

function contradictionsOf(given: Given, values: Partial<Values>): string[] {
  /** Those that are missing beside these others. */
  const need = (names: readonly (keyof Values)[], why: string) =>
    names
      .filter((name) => given[name] === undefined)
      .map((name) => `${name}: missing (${why}: ${variables[name].about})`);
  const amongGiven = (...names: (keyof Values)[]) => names.filter((name) => given[name] !== undefined);
  const database = amongGiven('DATABASE_URL', 'DATABASE_DIRECT_URL');
  const bucket = amongGiven('S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY');
  const model = amongGiven('ASSISTANT_URL', 'ASSISTANT_KEY', 'ASSISTANT_MODEL');
  const stripe = amongGiven(...stripeNames);
  const isAmazon = bucket.length > 0 && given.S3_ENDPOINT === undefined;
  return [
    ...(database.length > 0 ? need(['DATABASE_URL', 'PF_KEYS', 'PF_SECRET'], `with ${database.join(', ')}`) : []),
    ...(bucket.length > 0
      ? need(['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], `with ${bucket.join(', ')}`)
      : []),
    ...(model.length > 0
      ? need(['ASSISTANT_URL', 'ASSISTANT_KEY', 'ASSISTANT_MODEL'], `with ${model.join(', ')}`)
      : []),
    ...(stripe.length > 0 ? need(['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'], `with ${stripe.join(', ')}`) : []),
    ...stripeTroubles(values),
    ...(isAmazon ? need(['S3_REGION'], 'without S3_ENDPOINT the bucket is at Amazon') : []),
    ...(values.PORT === 0 ? need(['PUBLIC_URL'], 'with PORT 0, which is any free port') : []),
    ...(isLive(given, values) ? [...need(liveNeeds, 'in live mode'), ...liveTroubles(given, values)] : []),
    ...hostTroubles(given, values).map((trouble) => `HOST: ${trouble} (${variables.HOST.about})`),
    ...dataTroubles(values).map((trouble) => `DATA_DIR: ${trouble} (${variables.DATA_DIR.about})`),
    ...backupTroubles(values, database.length > 0).map(
      (trouble) => `BACKUP_DIR: ${trouble} (${variables.BACKUP_DIR.about})`,
    ),
  ];
}

const stripeNames = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_CONNECT_WEBHOOK_SECRET',
  'STRIPE_V2_WEBHOOK_SECRET',
] as const;

/** Keys that do not belong together, and content that the provider does not pay for. */
function stripeTroubles({ STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, CONTENT_POLICY }: Partial<Values>): string[] {
  if (STRIPE_SECRET_KEY === undefined) return [];
  const modeOf = (key: string | undefined) => key?.split('_')[1];
  const isOther = STRIPE_PUBLISHABLE_KEY !== undefined && modeOf(STRIPE_PUBLISHABLE_KEY) !== modeOf(STRIPE_SECRET_KEY);
  return [
    ...(isOther
      ? [
          `STRIPE_PUBLISHABLE_KEY: is of another mode than STRIPE_SECRET_KEY (${variables.STRIPE_PUBLISHABLE_KEY.about})`,
        ]
      : []),
    ...(CONTENT_POLICY === 'adult'
      ? [
          `CONTENT_POLICY: Stripe does not allow adult content. Set CONTENT_POLICY=no_explicit or configure another payment provider. (${variables.CONTENT_POLICY.about})`,
        ]
      : []),
  ];
}

/** Whether it is certainly meant for the world: of a mode or an address that is wrong in itself nobody knows. */
function isLive(given: Given, { PF_MODE, PUBLIC_URL }: Partial<Values>): boolean {
  if (given.PF_MODE !== undefined) return PF_MODE === 'live';
  return PUBLIC_URL !== undefined && !isLoopback(PUBLIC_URL);
}

/** Asked only where it is followed. */
function hostTroubles(given: Given, values: Partial<Values>): string[] {
  const isFollowed = given.PF_MODE !== undefined || isLive(given, values);
  const isAddress = given.HOST === undefined || given.HOST === 'localhost' || isIP(given.HOST) !== 0;
  return isFollowed && !isAddress ? ['must be an IP address or localhost'] : [];
}

const liveNeeds = ['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM'] as const;

/** What is right by itself and leads nobody here: other people's browsers and mail servers find themselves at "localhost". */
function liveTroubles(given: Given, { PUBLIC_URL, MAIL_FROM = '' }: Partial<Values>): string[] {
  const isHere = PUBLIC_URL !== undefined && isLoopback(PUBLIC_URL);
  return [
    ...(isHere ? [`PUBLIC_URL: only this machine can reach it (in live mode: ${variables.PUBLIC_URL.about})`] : []),
    ...(given.MAIL_FROM !== undefined && /@localhost>?$/i.test(MAIL_FROM)
      ? [`MAIL_FROM: nobody can reply to it (in live mode: ${variables.MAIL_FROM.about})`]
      : []),
  ];
}
