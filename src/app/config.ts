import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const text = z.string().min(1);
const bytesOfBase64 = (value: string) => Buffer.from(value, 'base64').length;

/** Every variable of the environment with its sentence; nothing else reads the environment. */
const variables = {
  PORT: {
    shape: z.coerce.number().int().min(0).max(65_535).default(3000),
    about: 'port to listen on, 3000 unless told',
  },
  DATA_DIR: { shape: text.default('./data'), about: 'folder of the database, the encrypted files and the keys' },
  BACKUP_DIR: {
    shape: text.optional(),
    about: 'folder outside DATA_DIR, best on another disk, into which the embedded database is backed up all the time',
  },
  PUBLIC_URL: {
    shape: z.url({ protocol: /^https?$/ }).optional(),
    about: 'address that people type, http://localhost:PORT unless told',
  },
  PF_MODE: {
    shape: z.enum(['sandbox', 'live']).optional(),
    about: 'sandbox or live; sandbox while PUBLIC_URL is a loopback address',
  },
  PF_ROLE: { shape: z.enum(['web', 'worker', 'all']).default('all'), about: 'web, worker or all' },
  PF_KEYS: { shape: text.optional(), about: 'master keys "id:base64,…", newest first; needed with DATABASE_URL' },
  PF_SECRET: {
    shape: text.refine((value) => bytesOfBase64(value) >= 32, 'at least 32 bytes in base64').optional(),
    about: 'secret of the sessions, 32 bytes in base64; needed with DATABASE_URL',
  },
  DATABASE_URL: {
    shape: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    about: 'PostgreSQL 15 or newer instead of the embedded one',
  },
  DATABASE_DIRECT_URL: {
    shape: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    about: 'the same past a pooler, for migrations and LISTEN',
  },
  S3_BUCKET: { shape: text.optional(), about: 'bucket for the encrypted files instead of DATA_DIR/files' },
  S3_ENDPOINT: { shape: z.url({ protocol: /^https?$/ }).optional(), about: 'address of the S3 server' },
  S3_REGION: { shape: text.default('auto'), about: 'region of the bucket' },
  S3_ACCESS_KEY_ID: { shape: text.optional(), about: 'key id of the bucket' },
  S3_SECRET_ACCESS_KEY: { shape: text.optional(), about: 'secret of the bucket' },
  SMTP_URL: {
    shape: z.url({ protocol: /^smtps?$/ }).optional(),
    about: 'mail server, smtp://user:password@host:587; needed in live mode',
  },
  MAIL_FROM: { shape: text.default('PrivateFans <hello@localhost>'), about: 'sender of the mails' },
  OPERATOR_NAME: {
    shape: text.max(200).optional(),
    about: 'who runs this installation, for its terms and privacy policy',
  },
  OPERATOR_EMAIL: { shape: z.email().optional(), about: 'where people reach the operator, for the same pages' },
  TRUSTED_PROXIES: { shape: text.optional(), about: 'addresses of the proxies in front, comma-separated' },
  LOG_LEVEL: {
    shape: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
    about: 'debug, info, warn, error or silent; info unless told, in a sandbox warn',
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
  /** Where to listen: loopback only in a sandbox, unless it was asked for aloud. */
  hosts: readonly string[];
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Reads the environment once.
 * @throws one list of all that is wrong, with the sentence of each variable
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const wrong: string[] = [];
  const entries = Object.entries(variables).map(([name, { shape, about }]) => {
    const given = environment[name];
    const result = shape.safeParse(given === '' ? undefined : given);
    if (!result.success) wrong.push(`${name}: ${result.error.issues[0]?.message ?? 'not understood'} (${about})`);
    return [name, result.data];
  });
  const values = Object.fromEntries(entries) as Values;
  if (wrong.length === 0) wrong.push(...contradictionsOf(values));
  if (wrong.length > 0)
    throw new Error(`The environment is not right:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
  const publicUrl = publicUrlOf(values);
  const { hostname, protocol } = new URL(publicUrl);
  const isSandbox = (values.PF_MODE ?? (loopback.test(hostname) ? 'sandbox' : 'live')) === 'sandbox';
  const isPrivate = isSandbox && values.PF_MODE === undefined;
  return {
    ...values,
    publicUrl,
    isSandbox,
    isSecure: protocol === 'https:',
    dataDir: path.resolve(values.DATA_DIR),
    backupDir: values.BACKUP_DIR === undefined ? undefined : path.resolve(values.BACKUP_DIR),
    hosts: isPrivate ? ['127.0.0.1', '::1'] : ['::'],
  };
}

const publicUrlOf = ({ PUBLIC_URL, PORT }: Values) => (PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '');

function contradictionsOf(values: Values): string[] {
  const need = (name: keyof Values, why: string) =>
    values[name] === undefined ? [`${name}: missing (${why}: ${variables[name].about})`] : [];
  const { hostname } = new URL(publicUrlOf(values));
  const isLive = values.PF_MODE === 'live' || (values.PF_MODE === undefined && !loopback.test(hostname));
  return [
    ...(values.DATABASE_URL === undefined
      ? []
      : [...need('PF_KEYS', 'with DATABASE_URL'), ...need('PF_SECRET', 'with DATABASE_URL')]),
    ...(values.S3_BUCKET === undefined
      ? []
      : [...need('S3_ACCESS_KEY_ID', 'with S3_BUCKET'), ...need('S3_SECRET_ACCESS_KEY', 'with S3_BUCKET')]),
    ...(isLive ? need('SMTP_URL', 'in live mode') : []),
    ...backupTroubles(values).map((trouble) => `BACKUP_DIR: ${trouble} (${variables.BACKUP_DIR.about})`),
  ];
}

function backupTroubles({ BACKUP_DIR, DATA_DIR, DATABASE_URL }: Values): string[] {
  if (BACKUP_DIR === undefined) return [];
  if (DATABASE_URL !== undefined) return ['not with DATABASE_URL, whose log is yours to keep'];
  const folder = path.resolve(BACKUP_DIR);
  const [first] = path.relative(path.resolve(DATA_DIR), folder).split(path.sep);
  if (first !== '..') return [`${folder} lies in DATA_DIR and would go with it`];
  let nearest = folder;
  while (!existsSync(nearest)) nearest = path.dirname(nearest);
  if (!statSync(nearest).isDirectory()) return [`${nearest} is no folder`];
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    return [];
  } catch {
    return [`nothing can be written into ${nearest}`];
  }
}
