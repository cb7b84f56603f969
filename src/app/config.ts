import { isIP } from 'node:net';
import path from 'node:path';
import * as z from 'zod';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { parsePfKeys } from '#engines/keys/open-key-ring.ts';
import { backupTroubles, dataTroubles } from './config-folders.ts';
import { about, findMissing, findMistyped, isLive } from './needed-settings.mjs';

const text = z.string().min(1);
const bytesOfBase64 = (value: string) => Buffer.from(value, 'base64').length;
const webhookSecret = /^whsec_\S+$/;
const mailbox = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/** Returns what is wrong with master keys, in words that tell none of them. */
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

/** Every variable of the environment, by the names that `about` has sentences for; nothing else reads the environment. */
const variables = {
  PORT: text.regex(/^\d+$/, 'must be a number').transform(Number).pipe(z.number().max(65_535)).default(3000),
  HOST: text.optional(),
  DATA_DIR: text.default('./data'),
  BACKUP_DIR: text.optional(),
  PUBLIC_URL: z
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
  PF_MODE: z.enum(['sandbox', 'live']).optional(),
  PF_ROLE: z.enum(['web', 'worker', 'all']).default('all'),
  PF_KEYS: text
    .superRefine((value, wrong) => {
      const message = keysFault(value);
      if (message !== undefined) wrong.addIssue({ code: 'custom', message });
    })
    .optional(),
  PF_SECRET: text.refine((value) => bytesOfBase64(value) >= 32, 'must be at least 32 bytes in base64').optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  S3_BUCKET: text.optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: text.default('auto'),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: text.regex(mailbox, 'must be a sender address').default('PrivateFans <hello@localhost>'),
  STRIPE_SECRET_KEY: text.regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret or restricted key of Stripe').optional(),
  STRIPE_PUBLISHABLE_KEY: text.regex(/^pk_(test|live)_\w+$/, 'must be a publishable key of Stripe').optional(),
  STRIPE_WEBHOOK_SECRET: text.regex(webhookSecret, 'must be the signing secret of a webhook').optional(),
  STRIPE_CONNECT_WEBHOOK_SECRET: text.regex(webhookSecret, 'must be the signing secret of a webhook').optional(),
  STRIPE_V2_WEBHOOK_SECRET: text.regex(webhookSecret, 'must be the signing secret of a webhook').optional(),
  CONTENT_POLICY: z.enum(['no_explicit', 'adult']).default('no_explicit'),
  ASSISTANT_URL: z.url({ protocol: /^https?$/ }).optional(),
  ASSISTANT_KEY: text.optional(),
  ASSISTANT_MODEL: text.max(200).optional(),
  MAIL_HOOK_SECRET: text.refine((value) => value.length >= 32, 'must be at least 32 characters').optional(),
  OPERATOR_NAME: text.max(200).optional(),
  OPERATOR_EMAIL: z.email().optional(),
  TRUSTED_PROXIES: text.refine((value) => value.split(',').every(isProxy), 'must be a list of addresses').optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
} as const satisfies Record<keyof typeof about, z.ZodType>;

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]> };

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
  const entries = Object.entries(variables).map(([name, shape]) => {
    const result = shape.safeParse(given[name]);
    if (!result.success)
      wrong.push(`${name}: ${result.error.issues[0]?.message ?? 'invalid'} (${about[name as keyof typeof about]})`);
    return [name, result.data];
  });
  const values = Object.fromEntries(entries) as Values;
  wrong.push(...contradictionsOf(given, values));
  if (wrong.length > 0) wrong.push(...findMistyped(given));
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
  const database = given.DATABASE_URL ?? given.DATABASE_DIRECT_URL;
  return [
    ...findMissing(given),
    ...stripeTroubles(values),
    ...(isLive(given) ? [...liveTroubles(given, values), ...policyTroubles(values)] : []),
    ...hostTroubles(given).map((trouble) => `HOST: ${trouble} (${about.HOST})`),
    ...dataTroubles(values).map((trouble) => `DATA_DIR: ${trouble} (${about.DATA_DIR})`),
    ...backupTroubles(values, database !== undefined).map((trouble) => `BACKUP_DIR: ${trouble} (${about.BACKUP_DIR})`),
  ];
}

/** Keys that do not belong together, and content that the provider does not pay for. */
function stripeTroubles({ STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, CONTENT_POLICY }: Partial<Values>): string[] {
  if (STRIPE_SECRET_KEY === undefined) return [];
  const modeOf = (key: string | undefined) => key?.split('_')[1];
  const isOther = STRIPE_PUBLISHABLE_KEY !== undefined && modeOf(STRIPE_PUBLISHABLE_KEY) !== modeOf(STRIPE_SECRET_KEY);
  return [
    ...(isOther
      ? [`STRIPE_PUBLISHABLE_KEY: is of another mode than STRIPE_SECRET_KEY (${about.STRIPE_PUBLISHABLE_KEY})`]
      : []),
    ...(CONTENT_POLICY === 'adult'
      ? [
          `CONTENT_POLICY: Stripe does not allow adult content. Set CONTENT_POLICY=no_explicit or configure another payment provider. (${about.CONTENT_POLICY})`,
        ]
      : []),
  ];
}

/** What `adult` needs of an installation beside another provider, and this version has not; the consent of everybody shown it has. */
export const missingForAdult = [
  'an ID check of everyone who uploads',
  'a review of everything before it is published',
  'age assurance of viewers',
] as const;

/** Real people would be shown adult content without what protects them; a sandbox may try it. */
function policyTroubles({ CONTENT_POLICY }: Partial<Values>): string[] {
  if (CONTENT_POLICY !== 'adult') return [];
  const missing = new Intl.ListFormat('en').format(missingForAdult);
  return [
    `CONTENT_POLICY: adult needs ${missing}, which this version does not have. Set CONTENT_POLICY=no_explicit, or try it with PF_MODE=sandbox. (${about.CONTENT_POLICY})`,
  ];
}

/** Asked only where it is followed. */
function hostTroubles(given: Given): string[] {
  const isFollowed = given.PF_MODE !== undefined || isLive(given);
  const isAddress = given.HOST === undefined || given.HOST === 'localhost' || isIP(given.HOST) !== 0;
  return isFollowed && !isAddress ? ['must be an IP address or localhost'] : [];
}

/** What is right by itself and leads nobody here: other people's browsers and mail servers find themselves at "localhost". */
function liveTroubles(given: Given, { PUBLIC_URL, MAIL_FROM = '' }: Partial<Values>): string[] {
  const isHere = PUBLIC_URL !== undefined && isLoopback(PUBLIC_URL);
  return [
    ...(isHere ? [`PUBLIC_URL: only this machine can reach it (in live mode: ${about.PUBLIC_URL})`] : []),
    ...(given.MAIL_FROM !== undefined && /@localhost>?$/i.test(MAIL_FROM)
      ? [`MAIL_FROM: nobody can reply to it (in live mode: ${about.MAIL_FROM})`]
      : []),
  ];
}
