import { existsSync } from 'node:fs';
import path from 'node:path';
import { openPayments } from '#app/payments.ts';
import type { Assistant } from '#engines/assistant/assistant.ts';
import { openLocalAssistant } from '#engines/assistant/local.ts';
import { openModelAssistant } from '#engines/assistant/model.ts';
import { openDatabase } from '#engines/database/database.ts';
import { refuseCutOffDatabase } from '#engines/database/fill-database.ts';
import { checkSchema } from '#engines/database/migrate.ts';
import type { Engines, Log } from '#engines/engines.ts';
import { openCountryFile } from '#engines/geoip/country-file.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';
import { type KeyRing, serverKeys } from '#engines/keys/key-ring.ts';
import { openKeyRing } from '#engines/keys/open-key-ring.ts';
import { openOutboxOnly } from '#engines/mail/outbox-only.ts';
import { openSmtp } from '#engines/mail/smtp.ts';
import { openWebPush } from '#engines/push/web-push.ts';
import { openDiskStorage } from '#engines/storage/disk.ts';
import type { Storage } from '#engines/storage/storage.ts';
import { builtInVideo } from '#features/marketing/demo-video.ts';
import { refuseOtherMoney } from '#features/orders/commands.ts';
import { refuseCutOff } from './backup/empty-installation.ts';
import type { Config } from './config.ts';
import { turnedMs } from './dev/turned-clock.ts';
import { checkSandboxUse } from './sandbox-use.ts';

/**
 * Opens everything outside: each engine is the embedded one unless the environment names another.
 * @param root folder of the project, where the migrations are
 * @throws a sentence that says what to do when it cannot, also in a folder whose restore was cut off, or where what a sandbox left would count as real
 */
export async function openEngines(config: Config, log: Log, root: string): Promise<Engines> {
  await refuseHalf(config);
  const engines = await bootEngines(config, log, migrationsOf(root));
  await orClose(engines, checkSandboxUse(engines));
  await orClose(engines, refuseOtherMoney(engines));
  const hasDemoVideo = existsSync(path.join(root, 'public', builtInVideo.src));
  return { ...engines, installation: { ...engines.installation, hasDemoVideo } };
}

/**
 * The same beside the product, for a command: the database stays of the version that it is.
 * @throws a sentence that says what to do when that is another one, or nothing was begun here
 */
export async function openEnginesAsTheyAre(config: Config, log: Log, root: string): Promise<Engines> {
  await refuseHalf(config);
  if (config.DATABASE_URL === undefined && !existsSync(path.join(config.dataDir, 'pg')))
    throw new Error(
      `PrivateFans is not set up in ${config.dataDir} yet. Set DATA_DIR to its folder, or start it once (npm start).`,
    );
  const engines = await bootEngines(config, log, null);
  await orClose(engines, checkSchema(engines.database.connection, migrationsOf(root)));
  return engines;
}

/** What is not to be used is let go of. @throws what the check throws */
async function orClose({ database }: Engines, check: Promise<void>): Promise<void> {
  try {
    await check;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The migrations of a version of the project. */
export const migrationsOf = (root: string) => path.join(root, 'db/migrations');

/** @throws where what was brought was cut off before its end */
async function refuseHalf(config: Config): Promise<void> {
  refuseCutOff(config.dataDir);
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url !== undefined) await refuseCutOffDatabase({ connectionString: url });
}

/** The same for whoever fills the data folder. @param migrations folder of what the database is brought to; null leaves it */
export async function bootEngines(config: Config, log: Log, migrations: string | null): Promise<Engines> {
  const { publicUrl, isSandbox, isSecure, dataDir, backupDir } = config;
  const clock = () => Date.now();
  const [database, keys, storage] = await Promise.all([
    openDatabase({
      url: config.DATABASE_URL,
      directUrl: config.DATABASE_DIRECT_URL,
      dataDir,
      // A command that was not told of it must not throw away what was still to be kept.
      backupDir: backupDir ?? (migrations === null ? null : undefined),
      migrations,
      log: (words) => log.info({ engine: 'database' }, words.trim()),
    }),
    openKeyRing({ dataDir, pfKeys: config.PF_KEYS }),
    openStorage(config),
  ]);
  const mail = config.SMTP_URL === undefined ? openOutboxOnly() : openSmtp(config.SMTP_URL, config.MAIL_FROM);
  const jobs = openJobs({ database, log });
  const linkClock = () => clock() + turnedMs();
  return {
    installation: {
      publicUrl,
      isSandbox,
      isSecure,
      dataDir,
      backupDir,
      contentPolicy: config.CONTENT_POLICY,
      operatorName: config.OPERATOR_NAME,
      operatorEmail: config.OPERATOR_EMAIL,
      mailHookSecret: config.MAIL_HOOK_SECRET,
    },
    database,
    storage,
    keys,
    secrets: secretsOf(config.PF_SECRET, keys),
    mail,
    push: openWebPush(),
    jobs,
    ...openPayments(config, { database, clock, linkClock, log }),
    geoip: openCountryFile(),
    assistant: openAssistant(config, log),
    clock,
    linkClock,
    log,
  };
}

/** `PF_SECRET`, else one derived from every master key: signed before a rotation is still accepted after it. */
export function secretsOf(pfSecret: string | undefined, keys: KeyRing): Engines['secrets'] {
  const [newest, ...older] = serverKeys(keys, 'pf1:auth').map((key) => key.toString('base64'));
  if (newest === undefined) throw new Error('a key ring needs a key');
  return pfSecret === undefined ? [newest, ...older] : [pfSecret];
}

/** Returns who puts Sofia's answers into words: a model when one is named, else the help texts speak for themselves. */
export function openAssistant({ ASSISTANT_URL, ASSISTANT_KEY, ASSISTANT_MODEL }: Config, log: Log): Assistant {
  if (ASSISTANT_URL === undefined || ASSISTANT_KEY === undefined || ASSISTANT_MODEL === undefined)
    return openLocalAssistant();
  return openModelAssistant({ url: ASSISTANT_URL, key: ASSISTANT_KEY, model: ASSISTANT_MODEL, log });
}

/** The encrypted files: in a bucket when one is named, else in the data folder. */
export async function openStorage(config: Config): Promise<Storage> {
  if (config.S3_BUCKET === undefined) return openDiskStorage(path.join(config.dataDir, 'files'));
  const { openS3Storage } = await import('#engines/storage/s3.ts');
  return openS3Storage({
    bucket: config.S3_BUCKET,
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    accessKeyId: config.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: config.S3_SECRET_ACCESS_KEY ?? '',
  });
}
