import type { EnvironmentSetting } from '#wire/own-process.ts';
import { about } from './needed-settings.mjs';

/**
 * Variables whose values an owner may read on the desk. Every other one is masked, a new one too until somebody lists it: addresses
 * of servers may carry a password.
 */
const plain: ReadonlySet<string> = new Set([
  'PORT',
  'HOST',
  'DATA_DIR',
  'BACKUP_DIR',
  'PUBLIC_URL',
  'PF_MODE',
  'PF_ROLE',
  'S3_BUCKET',
  'S3_REGION',
  'MAIL_FROM',
  'CONTENT_POLICY',
  'ASSISTANT_MODEL',
  'OPERATOR_NAME',
  'OPERATOR_EMAIL',
  'TRUSTED_PROXIES',
  'LOG_LEVEL',
] satisfies (keyof typeof about)[]);

/** Lists variables with what each is for; of one that is masked only whether it is set. */
export const showSettings = (
  values: Readonly<Record<string, unknown>>,
  sentences: Readonly<Record<string, string>> = about,
): EnvironmentSetting[] =>
  Object.entries(sentences).map(([name, sentence]) => {
    const isSet = values[name] !== undefined;
    const isMasked = !plain.has(name);
    return { name, about: sentence, isSet, isMasked, value: isSet && !isMasked ? String(values[name]) : null };
  });
