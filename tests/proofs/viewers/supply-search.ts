import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** One package of the lock. */
export interface LockedPackage {
  place: string;
  name: string;
  version: string;
  integrity: string | undefined;
  license: string | undefined;
  isDev: boolean;
  isOptional: boolean;
  hasInstallScript: boolean;
  /** Only for some systems or processors. */
  isForSome: boolean;
}

interface LockEntry {
  version?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  os?: string[];
  cpu?: string[];
}

/** Everything that the lock would install. */
export function readLock(): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockEntry> };
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, entry]) => ({
      place,
      name: place.slice(place.lastIndexOf('node_modules/') + 13),
      version: entry.version ?? '',
      integrity: entry.integrity,
      license: entry.license ?? licenseIn(place),
      isDev: entry.dev === true || entry.devOptional === true,
      isOptional: entry.optional === true,
      hasInstallScript: entry.hasInstallScript === true,
      isForSome: entry.os !== undefined || entry.cpu !== undefined,
    }));
}

/** Returns what a package says of itself where the lock is silent: old ones have lists, some only a file. */
function licenseIn(place: string): string | undefined {
  const file = path.join(place, 'package.json');
  if (!existsSync(file)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof license === 'string') return license;
  const first = [license, licenses].flat().find(Boolean);
  if (typeof first?.type === 'string') return first.type;
  const found = readdirSync(place).find((name) => /^(licen[cs]e|readme)/i.test(name));
  const text = found === undefined ? '' : readFileSync(path.join(place, found), 'utf8');
  if (/\bMIT\b/.test(text)) return 'MIT';
  const isBsd = /Redistribution and use in source and binary forms/.test(text) && /Neither the name/.test(text);
  return isBsd ? 'BSD-3-Clause' : undefined;
}

/** Licences whose code may be combined into a work under AGPL-3.0, or stands beside it unchanged (fonts, data). */
const allowed = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'Unlicense', 'CC0-1.0', 'Zlib'],
  ...['Apache-2.0', 'MPL-2.0', 'LGPL-3.0', 'LGPL-3.0-or-later', 'OFL-1.1', 'CC-BY-4.0', 'PostgreSQL'],
]);

/** Returns whether every part of a licence expression, or one of its choices, may be used here. */
export const isAllowed = (license: string): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(/ OR /)
    .some((choice) => choice.split(/ AND /).every((part) => allowed.has(part.trim())));

/** Forms in which secrets are written; each begins or is built in a way that nothing else is. */
const secretForms: readonly [string, RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*\n[A-Za-z0-9+/=\s]{60,}/],
  ['a key of AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})\b/],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a key of Stripe', /\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{24,}\b/],
  ['a token of Slack', /\bxox[abprs]-[A-Za-z0-9-]{20,}\b/],
  ['a key of a model', /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}\b/],
  ['a signed token', /\beyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}\b/],
  [
    'a password in an address',
    /\b(?:postgres(?:ql)?|smtps?|https?|redis|mysql):\/\/[^\s:/@'"`$<>{}]+:[^\s:/@'"`$<>{}]{12,}@/,
  ],
  [
    'a secret that is written down',
    /\b(?:secret|passw(?:or)?d|api_?key|access_?key|auth_?token)\w*["']?\s*[:=]\s*["'](?=[^"']*\d)(?=[^"']*[A-Z])[A-Za-z0-9+/_=-]{28,}["']/i,
  ],
];

/** Returns what in a text looks like a secret. */
export const findSecrets = (text: string): string[] =>
  secretForms.filter(([, form]) => form.test(text)).map(([name]) => name);

const leftOut = /^(node_modules|build|data|test-results|\.git|\.react-router|bench\/results)(\/|$)/;

/** Every text file of the tree that git would keep. */
export function listTree(): string[] {
  try {
    const known = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
    return known.split('\n').filter((file) => file !== '' && existsSync(file) && statSync(file).isFile());
  } catch {
    // An archive without git: everything that is no product of a command.
    return readdirSync('.', { recursive: true })
      .map(String)
      .filter((file) => !leftOut.test(file) && statSync(file).isFile());
  }
}

/** Returns what in a built file would fetch something from elsewhere. */
export function findForeign(file: string, text: string): string[] {
  const forms = file.endsWith('.css')
    ? [/url\(\s*["']?((?:https?:)?\/\/[^)"']+)/g, /@import\s+["']((?:https?:)?\/\/[^"']+)/g]
    : file.endsWith('.html')
      ? [
          /<(?:script|link|img|iframe|source|video|audio|embed|object)\b[^>]*\s(?:src|href|srcset|data|poster)=["']?((?:https?:)?\/\/[^"'\s>]+)/gi,
        ]
      : [
          /\b(?:fetch|import|importScripts|sendBeacon|EventSource|WebSocket|Worker|Request)\(\s*["'`]((?:https?:|wss?:)?\/\/[^"'`]+)/g,
          /\.(?:src|href|action)\s*=\s*["'`]((?:https?:)?\/\/[^"'`]+)/g,
          /\bfrom\s*["']((?:https?:)?\/\/[^"']+)/g,
        ];
  return forms.flatMap((form) => [...text.matchAll(form)].map(([, address = '']) => `${file}: ${address}`));
}
