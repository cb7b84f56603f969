import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readConfig } from './config.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pf-config-'));
});
afterAll(() => rmSync(root, { recursive: true }));

const secret = randomBytes(32).toString('base64');
const key = `k1:${secret}`;
const outside = { DATABASE_URL: 'postgres://db.example.com/pf', PF_KEYS: key, PF_SECRET: secret };
const bucket = {
  S3_BUCKET: 'pf',
  S3_ENDPOINT: 'https://s3.example.com',
  S3_REGION: 'eu-1',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};
const live = {
  PUBLIC_URL: 'https://studio.example.com',
  SMTP_URL: 'smtp://mail.example.com:587',
  MAIL_FROM: 'Studio <studio@example.com>',
};

const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };

/** Returns what the one list says of an environment, each line without the sentence of its variable. */
function listOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    const [head, ...lines] = (error as Error).message.split('\n');
    expect(head).toBe('The environment variables are not valid:');
    for (const line of lines) expect(line, 'each line explains its variable').toMatch(/^ {2}[A-Z0-9_]+: .+ \(.+\)$/);
    return lines.map((line) => line.trim());
  }
}

// A file of the same worker may have imported what speaks plainly to people; an operator reads the library's own words.
const { localeError } = z.config();
beforeAll(() => void z.config(z.locales.en()));
afterAll(() => void z.config({ localeError }));

describe('the environment', () => {
  it('needs nothing on one machine', () => {
    const { publicUrl, isSandbox, isSecure, host, ...rest } = readConfig({});
    expect({ publicUrl, isSandbox, isSecure, host }).toEqual({
      publicUrl: 'http://localhost:3000',
      isSandbox: true,
      isSecure: false,
      host: 'localhost',
    });
    expect(rest).toMatchObject({ PORT: 3000, DATA_DIR: './data', PF_ROLE: 'all', S3_REGION: 'auto' });
    expect(readConfig({ PORT: '', PUBLIC_URL: '', S3_BUCKET: '' }), 'empty is not given').toEqual(readConfig({}));
  });

  it('is taken as it is where it is right', () => {
    const config = readConfig({
      ...outside,
      ...bucket,
      ...live,
      PORT: '8080',
      DATABASE_DIRECT_URL: 'postgresql://db.example.com:5433/pf',
      PF_MODE: 'live',
      PF_ROLE: 'worker',
      OPERATOR_NAME: 'Studio GmbH',
      OPERATOR_EMAIL: 'hello@example.com',
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8, 192.168.1.1, fd00::/8',
      LOG_LEVEL: 'silent',
    });
    expect(config).toMatchObject({ PORT: 8080, isSandbox: false, isSecure: true, host: 'localhost' });
    expect(config).toMatchObject({ ...outside, ...bucket, ...live });
    for (const typed of ['https://studio.example.com/', 'HTTPS://Studio.example.com:443'])
      expect(readConfig({ ...live, PUBLIC_URL: typed })).toMatchObject({ publicUrl: live.PUBLIC_URL, isSecure: true });
    expect(readConfig({ PORT: '0', PUBLIC_URL: 'http://127.0.0.1:3000' })).toMatchObject({ PORT: 0, isSandbox: true });
    expect(listOf({ MAIL_FROM: 'hello@example.com', TRUSTED_PROXIES: '::1' })).toEqual([]);
  });

  it('says where to listen: everywhere when live, on loopback behind a proxy and in a sandbox', () => {
    const hostOf = (environment: Record<string, string>) => readConfig(environment).host;
    expect(hostOf(live)).toBe('::');
    expect(hostOf({ ...live, TRUSTED_PROXIES: '10.0.0.1' })).toBe('localhost');
    expect(hostOf({ ...live, TRUSTED_PROXIES: '10.0.0.1', HOST: '::' })).toBe('::');
    expect(hostOf({ ...live, HOST: '10.0.0.7' })).toBe('10.0.0.7');
    expect(hostOf({ ...live, PF_MODE: 'sandbox' }), 'asked for aloud').toBe('::');
    expect(hostOf({ ...live, PF_MODE: 'sandbox', HOST: 'localhost' })).toBe('localhost');
    expect(hostOf({ HOST: '0.0.0.0' }), 'nobody else comes into a private sandbox').toBe('localhost');
    expect(hostOf({ HOST: 'x86_64-linux-gnu' }), 'what a shell exports stops no start').toBe('localhost');
  });

  /** Each variable with what is wrong about it, alone. */
  const wrongs: readonly [name: string, value: string, said: RegExp, beside?: Record<string, string>][] = [
    ['PORT', 'three', /^PORT: must be a number/],
    ['PORT', '65536', /^PORT: /],
    ['PORT', '30.5', /^PORT: must be a number/],
    ['PORT', '0x1F90', /^PORT: must be a number/],
    ['PORT', '3e3', /^PORT: must be a number/],
    ['PORT', ' ', /^PORT: must be a number/],
    ['PORT', '0', /^PUBLIC_URL: missing \(with PORT 0/],
    ['HOST', 'studio.example.com', /^HOST: must be an IP address or localhost/, live],
    ['HOST', '10.0.0.0/8', /^HOST: must be an IP address/, { ...live, PF_MODE: 'sandbox' }],
    ['DATA_DIR', `${import.meta.filename}/data`, /^DATA_DIR: .*config\.test\.ts is not a folder/],
    ['BACKUP_DIR', './data/backup', /^BACKUP_DIR: .* is inside DATA_DIR/],
    ['PUBLIC_URL', 'studio.example.com', /^PUBLIC_URL: Invalid URL/],
    ['PUBLIC_URL', 'ftp://studio.example.com', /^PUBLIC_URL: Invalid URL/],
    ['PUBLIC_URL', 'https://studio.example.com/fans', /^PUBLIC_URL: must be only https:\/\/name/],
    ['PUBLIC_URL', 'https://studio.example.com//', /^PUBLIC_URL: must be only/],
    ['PUBLIC_URL', 'https://studio.example.com/?from=mail', /^PUBLIC_URL: must be only/],
    ['PUBLIC_URL', 'https://studio.example.com/#top', /^PUBLIC_URL: must be only/],
    ['PUBLIC_URL', 'https://mia:secret@studio.example.com', /^PUBLIC_URL: must be only/],
    ['PUBLIC_URL', 'http://studio.example.com', /^PUBLIC_URL: pages need https/],
    ['PUBLIC_URL', 'http://192.168.0.7:3000', /^PUBLIC_URL: pages need https/],
    ['PF_MODE', 'production', /^PF_MODE: .*"sandbox"\|"live"/],
    ['PF_ROLE', 'both', /^PF_ROLE: .*"web"\|"worker"\|"all"/],
    ['PF_KEYS', `k1:${secret},k2:short`, /^PF_KEYS: entry 2 is not "id:base64" of 32 bytes/],
    ['PF_KEYS', `k1:${secret},k1:${secret.replace(/^./, '_')}`, /^PF_KEYS: two different master keys are named k1/],
    ['PF_SECRET', 'c2hvcnQ=', /^PF_SECRET: must be at least 32 bytes in base64/],
    ['DATABASE_URL', 'mysql://db.example.com/pf', /^DATABASE_URL: Invalid URL/],
    ['DATABASE_DIRECT_URL', 'db.example.com', /^DATABASE_DIRECT_URL: Invalid URL/],
    ['S3_BUCKET', 'pf', /^S3_SECRET_ACCESS_KEY: missing \(with S3_BUCKET/],
    ['S3_ENDPOINT', 's3.example.com', /^S3_ENDPOINT: Invalid URL/],
    ['S3_REGION', 'eu-1', /^S3_BUCKET: missing \(with S3_REGION/],
    ['S3_ACCESS_KEY_ID', 'id', /^S3_BUCKET: missing \(with S3_ACCESS_KEY_ID/],
    ['S3_SECRET_ACCESS_KEY', 'secret', /^S3_BUCKET: missing \(with S3_SECRET_ACCESS_KEY/],
    ['SMTP_URL', 'mail.example.com:587', /^SMTP_URL: Invalid URL/],
    ['MAIL_FROM', 'PrivateFans', /^MAIL_FROM: must be a sender address/],
    ['STRIPE_SECRET_KEY', 'pk_test_1', /^STRIPE_SECRET_KEY: must be a secret or restricted key/],
    ['STRIPE_PUBLISHABLE_KEY', 'sk_test_1', /^STRIPE_PUBLISHABLE_KEY: must be a publishable key/],
    ['STRIPE_WEBHOOK_SECRET', 'secret', /^STRIPE_WEBHOOK_SECRET: must be the signing secret/],
    ['STRIPE_CONNECT_WEBHOOK_SECRET', 'whsec_a b', /^STRIPE_CONNECT_WEBHOOK_SECRET: must be the signing secret/],
    ['STRIPE_V2_WEBHOOK_SECRET', 'whsec_', /^STRIPE_V2_WEBHOOK_SECRET: must be the signing secret/],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_1', /^STRIPE_SECRET_KEY: missing \(with STRIPE_WEBHOOK_SECRET/],
    [
      'STRIPE_PUBLISHABLE_KEY',
      'pk_live_1',
      /^STRIPE_PUBLISHABLE_KEY: is of another mode/,
      { STRIPE_SECRET_KEY: 'rk_test_1' },
    ],
    ['CONTENT_POLICY', 'all', /^CONTENT_POLICY: .*"no_explicit"\|"adult"/],
    ['CONTENT_POLICY', 'adult', /^CONTENT_POLICY: Stripe does not allow adult content/, stripe],
    [
      'CONTENT_POLICY',
      'adult',
      /^CONTENT_POLICY: adult needs an ID check of everyone who uploads, a review of everything before it is published, and age assurance of viewers, which this version does not have/,
      live,
    ],
    ['ASSISTANT_URL', 'models.example.com', /^ASSISTANT_URL: Invalid URL/],
    ['ASSISTANT_KEY', 'key', /^ASSISTANT_MODEL: missing \(with ASSISTANT_KEY/],
    ['ASSISTANT_MODEL', 'small', /^ASSISTANT_URL: missing \(with ASSISTANT_MODEL/],
    ['MAIL_HOOK_SECRET', 'short', /^MAIL_HOOK_SECRET: must be at least 32 characters/],
    ['OPERATOR_NAME', 'x'.repeat(201), /^OPERATOR_NAME: /],
    ['OPERATOR_EMAIL', 'hello', /^OPERATOR_EMAIL: Invalid email/],
    ['TRUSTED_PROXIES', '10.0.0.1,proxy.example.com', /^TRUSTED_PROXIES: must be a list of addresses/],
    ['TRUSTED_PROXIES', '10.0.0.0/33', /^TRUSTED_PROXIES: must be/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL: .*"debug"/],
  ];

  it.each(wrongs)('%s that is wrong is explained (%#)', (name, value, said, beside) => {
    expect(listOf({ ...beside, [name]: value })).toContainEqual(expect.stringMatching(said));
  });

  it('has no variable that cannot be wrong', () => {
    const names = Object.keys(readConfig({})).filter((name) => name === name.toUpperCase());
    expect([...new Set(wrongs.map(([name]) => name))].sort()).toEqual(names.sort());
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['an outside database without its keys', { DATABASE_URL: outside.DATABASE_URL }, ['PF_KEYS', 'PF_SECRET']],
    ['an outside database without one of them', { ...outside, PF_KEYS: '' }, ['PF_KEYS']],
    [
      'a way past a pooler that is not there',
      { DATABASE_DIRECT_URL: outside.DATABASE_URL, PF_KEYS: key, PF_SECRET: secret },
      ['DATABASE_URL'],
    ],
    [
      'a way past a pooler alone',
      { DATABASE_DIRECT_URL: outside.DATABASE_URL },
      ['DATABASE_URL', 'PF_KEYS', 'PF_SECRET'],
    ],
    ['a bucket without its name', { ...bucket, S3_BUCKET: '' }, ['S3_BUCKET']],
    ['a bucket without the id of a key', { ...bucket, S3_ACCESS_KEY_ID: '' }, ['S3_ACCESS_KEY_ID']],
    ['a bucket without the secret', { ...bucket, S3_SECRET_ACCESS_KEY: '' }, ['S3_SECRET_ACCESS_KEY']],
    [
      'the address of a bucket alone',
      { S3_ENDPOINT: bucket.S3_ENDPOINT },
      ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ],
    ['a bucket at Amazon without its region', { ...bucket, S3_ENDPOINT: '', S3_REGION: '' }, ['S3_REGION']],
    ['a public address without mail', { PUBLIC_URL: live.PUBLIC_URL }, ['SMTP_URL', 'MAIL_FROM']],
    ['live mode without an address and mail', { PF_MODE: 'live' }, ['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM']],
    [
      'live mode at an address of this machine alone',
      { ...live, PF_MODE: 'live', PUBLIC_URL: 'http://localhost:3000' },
      ['PUBLIC_URL'],
    ],
    [
      'live mode with mails that nobody can answer',
      { ...live, MAIL_FROM: 'PrivateFans <hello@localhost>' },
      ['MAIL_FROM'],
    ],
    ['a backup of a database that is not ours', { ...outside, BACKUP_DIR: '/tmp/pf-backup' }, ['BACKUP_DIR']],
  ])('%s is refused', (_, environment, names) => {
    expect(listOf(environment).map((line) => line.split(':')[0])).toEqual(names);
  });

  it('is no contradiction where it is whole, or meant so aloud', () => {
    expect(listOf({ ...bucket, S3_REGION: '' })).toEqual([]);
    expect(listOf({ ...bucket, S3_ENDPOINT: '' })).toEqual([]);
    expect(listOf({ PUBLIC_URL: live.PUBLIC_URL, PF_MODE: 'sandbox' })).toEqual([]);
    expect(listOf({ PUBLIC_URL: 'http://127.0.0.1:3000' })).toEqual([]);
    expect(listOf({ PF_KEYS: key, PF_SECRET: secret })).toEqual([]);
    expect(listOf({ ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_1' })).toEqual([]);
    expect(listOf({ CONTENT_POLICY: 'adult' }), 'in the sandbox no money is taken').toEqual([]);
  });

  it('is explained in one list, contradictions beside values that are wrong in themselves', () => {
    const lines = listOf({
      PORT: 'three',
      PUBLIC_URL: live.PUBLIC_URL,
      PF_KEYS: 'k1:short',
      DATABASE_URL: 'mysql://db.example.com/pf',
      S3_ENDPOINT: 's3.example.com',
      BACKUP_DIR: '/tmp/pf-backup',
    });
    expect(lines.map((line) => line.split(/ \(|: (?=Invalid URL)/)[0])).toEqual([
      'PORT: must be a number',
      'PF_KEYS: entry 1 is not "id:base64" of 32 bytes',
      'DATABASE_URL',
      'S3_ENDPOINT',
      'PF_SECRET: missing',
      'S3_BUCKET: missing',
      'S3_ACCESS_KEY_ID: missing',
      'S3_SECRET_ACCESS_KEY: missing',
      'SMTP_URL: missing',
      'MAIL_FROM: missing',
      'BACKUP_DIR: does not work with DATABASE_URL: back up that database yourself',
    ]);
  });

  it('is not said to miss what was given wrongly', () => {
    expect(listOf({ ...outside, PF_SECRET: 'c2hvcnQ=' })).toHaveLength(1);
    expect(listOf({ ...live, PUBLIC_URL: 'studio.example.com', PF_MODE: 'live' })).toHaveLength(1);
    expect(listOf({ PF_MODE: 'production', PUBLIC_URL: live.PUBLIC_URL })).toHaveLength(1);
    expect(listOf({ ...live, SMTP_URL: 'mail.example.com' })).toHaveLength(1);
  });

  it('is refused without telling a secret', () => {
    const secrets = { PF_KEYS: 'k1:not-for-a-log', PF_SECRET: 'bm90LWZvci1hLWxvZw==' };
    const addresses = { DATABASE_URL: 'mysql://pf:unsaid@db/pf', SMTP_URL: 'http://pf:unsaid@mail' };
    const reported = listOf({ ...secrets, ...addresses, S3_SECRET_ACCESS_KEY: 'not-for-a-log' }).join('\n');
    expect(reported).toContain('PF_KEYS');
    expect(reported).not.toMatch(/not-for-a-log|unsaid|bm90LWZvci/);
  });
});

describe('BACKUP_DIR and DATA_DIR', () => {
  const read = (backupDir: string, more: Record<string, string> = {}) =>
    readConfig({ DATA_DIR: path.join(root, 'data'), BACKUP_DIR: backupDir, ...more });

  it('is a folder outside DATA_DIR that need not be there yet, by a relative path too', () => {
    expect(read(path.join(root, 'disk/backup')).backupDir).toBe(path.join(root, 'disk/backup'));
    expect(read(path.relative(process.cwd(), path.join(root, 'data-2'))).backupDir).toBe(path.join(root, 'data-2'));
    expect(readConfig({}).backupDir).toBeUndefined();
  });

  it('is explained in the one list when it is wrong', () => {
    for (const inside of ['data', 'data/backup', 'data/../data/x'])
      expect(() => read(path.join(root, inside), { PORT: '3000' })).toThrow(/BACKUP_DIR: .* is inside DATA_DIR/);
    writeFileSync(path.join(root, 'file'), '');
    expect(() => read(path.join(root, 'file/backup'))).toThrow(/BACKUP_DIR: .*file is not a folder/);
    expect(() => read(path.join(root, 'x'), { DATABASE_URL: 'postgres://somewhere/pf' })).toThrow(
      /PF_KEYS: missing.*BACKUP_DIR: does not work with DATABASE_URL/s,
    );
  });

  it.runIf(process.getuid?.() !== 0)('must be writable', () => {
    const closed = path.join(root, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    expect(() => read(path.join(closed, 'backup'))).toThrow(/BACKUP_DIR: .*closed is not writable/);
    expect(listOf({ DATA_DIR: path.join(closed, 'data') })).toEqual([
      expect.stringMatching(/^DATA_DIR: .*closed is not writable \(folder for the database/),
    ]);
  });
});
