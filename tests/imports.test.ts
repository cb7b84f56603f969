import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** The ladder of ARCHITECTURE.md, written down a second time on purpose: a rung that moves must be meant. */
const ladder =
  'settings audit sales notices referrals accounts media albums consents books plans payouts held orders returns money links access security viewing requests tracing insights assistant credits affiliates support reports marketing dashboard privacy admin fullcheck'.split(
    ' ',
  );

interface Plant {
  rule: string;
  in: string;
  line: string;
  /** Where the rule looks, when it is not the planted file itself. */
  seenFrom?: string;
}

const everyRung: Plant[] = ladder.slice(0, -1).map((room, at) => ({
  rule: 'rooms-point-down',
  in: `src/features/${room}/store.ts`,
  line: `import '#features/${ladder[at + 1]}/contract.ts';`,
}));

const forbidden: Plant[] = [
  ...everyRung,
  { rule: 'rooms-point-down', in: 'src/features/settings/store.ts', line: "import '#features/dashboard/contract.ts';" },
  {
    rule: 'rooms-point-down',
    in: 'src/features/media/rules.ts',
    line: "import type { A } from '#features/links/rules.ts';",
  },
  { rule: 'a-room-has-a-rung', in: 'src/features/gossip/api.ts', line: "import '#kit/ids.ts';" },
  { rule: 'kit-is-bedrock', in: 'src/kit/planted.ts', line: "import '#wire/rpc.ts';" },
  { rule: 'kit-is-bedrock', in: 'src/kit/planted.ts', line: "import type { A } from '#engines/database/database.ts';" },
  { rule: 'kit-runs-anywhere', in: 'src/kit/planted.ts', line: "import 'node:crypto';" },
  { rule: 'kit-runs-anywhere', in: 'src/ui/planted.tsx', line: "import 'node:fs';" },
  {
    rule: 'engines-know-no-product',
    in: 'src/engines/mail/planted.ts',
    line: "import type { A } from '#features/links/rules.ts';",
  },
  { rule: 'wire-knows-no-feature', in: 'src/wire/planted.ts', line: "import '#features/links/contract.ts';" },
  { rule: 'ui-knows-no-feature', in: 'src/ui/planted.tsx', line: "import '#features/links/contract.ts';" },
  { rule: 'ui-knows-no-feature', in: 'src/ui/planted.tsx', line: "import '#wire/client.ts';" },
  { rule: 'features-below-app', in: 'src/features/links/api.ts', line: "import '#app/server/server.ts';" },
  {
    rule: 'rules-and-contracts-are-pure',
    in: 'src/features/links/rules.ts',
    line: "import '#features/albums/store.ts';",
  },
  { rule: 'rules-and-contracts-are-pure', in: 'src/features/links/rules.ts', line: "import 'node:fs';" },
  { rule: 'rules-and-contracts-are-pure', in: 'src/features/links/rules.ts', line: "import { sql } from 'kysely';" },
  {
    rule: 'rules-and-contracts-are-pure',
    in: 'src/features/links/contract.ts',
    line: "import type { A } from './store.ts';",
  },
  {
    rule: 'rules-and-contracts-are-pure',
    in: 'src/features/returns/disputes/dispute-rules.ts',
    line: "import type { A } from './disputes-store.ts';",
  },
  {
    rule: 'rules-and-contracts-are-pure',
    in: 'src/features/plans/rules.ts',
    line: "import '#engines/payments/plan-payments.ts';",
  },
  {
    rule: 'rules-and-contracts-are-pure',
    in: 'src/features/money/fans/fans-contract.ts',
    line: "import './fans-store.ts';",
  },
  { rule: 'rules-and-contracts-are-pure', in: 'src/features/books/posting.ts', line: "import 'node:fs';" },
  { rule: 'a-face-is-no-procedure', in: 'src/features/viewing/api.ts', line: "import '../links/api.ts';" },
  {
    rule: 'a-face-is-no-procedure',
    in: 'src/features/viewing/api.ts',
    line: "import type { A } from '#features/media/jobs.ts';",
  },
  { rule: 'a-face-is-no-procedure', in: 'src/features/viewing/api.ts', line: "import '#features/media/mount.ts';" },
  { rule: 'a-face-is-no-procedure', in: 'src/features/viewing/api.ts', line: "import '#features/money/commands.ts';" },
  {
    rule: 'a-face-is-no-procedure',
    in: 'src/features/viewing/api.ts',
    line: "import '#features/links/passes-api.ts';",
  },
  {
    rule: 'a-face-is-no-procedure',
    in: 'src/features/viewing/api.ts',
    line: "import '#features/returns/operator-commands.ts';",
  },
  {
    rule: 'a-face-is-no-procedure',
    in: 'src/features/viewing/planted.tsx',
    line: "import '#features/links/planted-page.tsx';",
  },
  { rule: 'a-root-is-a-face', in: 'src/features/viewing/api.ts', line: "import '#features/media/packs/planted.ts';" },
  {
    rule: 'a-root-is-a-face',
    in: 'src/features/viewing/leases/planted.ts',
    line: "import type { A } from '#features/media/browser/planted.ts';",
  },
  {
    rule: 'a-root-is-a-face',
    in: 'src/features/insights/pages/planted.tsx',
    line: "import '#features/media/owner/planted.ts';",
  },
  { rule: 'a-root-is-a-face', in: 'src/app/planted.ts', line: "import '#features/media/owner/planted.ts';" },
  { rule: 'a-root-is-a-face', in: 'src/app/planted.tsx', line: "import '#features/links/pages/planted.tsx';" },
  { rule: 'formats-stand-alone', in: 'src/features/media/formats/pack.ts', line: "import '../rules.ts';" },
  {
    rule: 'formats-stand-alone',
    in: 'src/features/media/formats/keys.ts',
    line: "import type { A } from '#engines/keys/key-ring.ts';",
  },
  { rule: 'browser-never-reaches-server', in: 'src/features/links/planted-page.tsx', line: "import './store.ts';" },
  {
    rule: 'browser-never-reaches-server',
    in: 'src/features/links/planted-page.tsx',
    line: "import type { A } from './planted-store.ts';",
  },
  { rule: 'browser-never-reaches-server', in: 'src/ui/planted.tsx', line: "import '#engines/database/database.ts';" },
  {
    rule: 'browser-never-reaches-server',
    in: 'src/features/viewing/viewer-app/planted.ts',
    line: "import '../api.ts';",
  },
  {
    rule: 'browser-never-reaches-server',
    in: 'src/features/links/planted.ts',
    line: "import './store.ts';",
    seenFrom: 'src/features/links/indirect-page.tsx',
  },
  {
    rule: 'server-never-reaches-tsx',
    in: 'src/app/planted.ts',
    line: "import '#ui/planted.tsx';",
    seenFrom: 'src/main.ts',
  },
  { rule: 'sql-lives-in-stores', in: 'src/features/links/api.ts', line: "import type { Kysely } from 'kysely';" },
  { rule: 'sql-lives-in-stores', in: 'src/features/media/jobs.ts', line: "import 'pg';" },
  {
    rule: 'viewer-app-stays-small',
    in: 'src/features/viewing/viewer-app/planted.ts',
    line: "import '#ui/planted.tsx';",
  },
  { rule: 'viewer-app-stays-small', in: 'src/features/viewing/viewer-app/planted.ts', line: "import 'react-router';" },
  { rule: 'viewer-app-stays-small', in: 'src/features/media/browser/other.ts', line: "import '#ui/planted.tsx';" },
  { rule: 'viewer-app-stays-small', in: 'src/features/media/browser/other.ts', line: "import '@base-ui/react';" },
  {
    rule: 'viewer-app-stays-small',
    in: 'src/features/media/browser/other.ts',
    line: "import '@tanstack/react-query';",
  },
  { rule: 'browser-never-reaches-server', in: 'src/features/media/browser/other.ts', line: "import '../store.ts';" },
  {
    rule: 'browser-never-reaches-server',
    in: 'src/features/links/planted-page.tsx',
    line: "import '#wire/answer.ts';",
  },
  { rule: 'browser-never-reaches-server', in: 'src/features/links/planted-page.tsx', line: "import '#wire/rpc.ts';" },
  { rule: 'rules-and-contracts-are-pure', in: 'src/features/links/policy.ts', line: "import './store.ts';" },
  { rule: 'a-root-is-a-face', in: 'src/main.ts', line: "import '#features/media/owner/planted.ts';" },
  { rule: 'resolvable', in: 'src/features/links/rules.ts', line: "import './nothing.ts';" },
  { rule: 'no-circles', in: 'src/kit/circle-a.ts', line: "import './circle-b.ts';" },
  { rule: 'no-circles', in: 'src/kit/circle-c.ts', line: "import type { A } from './circle-d.ts';" },
];

/** What the rules must let through, and what the plants need to stand on. */
const allowed: Omit<Plant, 'rule'>[] = [
  { in: 'src/kit/circle-b.ts', line: "import './circle-a.ts';" },
  { in: 'src/kit/circle-d.ts', line: "import type { A } from './circle-c.ts';" },
  { in: 'src/features/insights/pages/other.tsx', line: "import '#features/media/browser/planted.ts';" },
  { in: 'src/features/viewing/viewer-app/other.ts', line: "import '#features/media/browser/planted.ts';" },
  { in: 'src/app/other.tsx', line: "import '#features/media/browser/planted.ts';" },
  { in: 'src/features/media/owner/other.ts', line: "import '../packs/planted.ts';" },
  { in: 'src/main.ts', line: "import '#app/planted.ts';" },
  { in: 'src/features/links/indirect-page.tsx', line: "import './planted.ts';" },
  { in: 'src/features/links/planted-page.tsx', line: "import './contract.ts';" },
  { in: 'src/features/links/planted-page.tsx', line: "import '#features/albums/planted.tsx';" },
  { in: 'src/features/links/planted-store.ts', line: "import { sql } from 'kysely';" },
  { in: 'src/features/albums/planted.tsx', line: "import '#ui/buttons/button.tsx';" },
  { in: 'src/features/viewing/api.ts', line: "import '#features/albums/store.ts';" },
  { in: 'src/features/viewing/api.ts', line: "import '#features/links/rules.ts';" },
  { in: 'src/features/viewing/api.ts', line: "import '#features/links/to-api.ts';" },
  { in: 'src/features/viewing/api.ts', line: "import '#features/media/formats/planted.ts';" },
  {
    in: 'src/features/returns/disputes/dispute-rules.ts',
    line: "import type { A } from '#engines/payments/disputes.ts';",
  },
  { in: 'src/features/viewing/planted.test.ts', line: "import '#features/links/api.ts';" },
];

interface Violation {
  from: string;
  to: string;
  rule: { name: string };
}

let copy: string;
let violations: Violation[];

beforeAll(async () => {
  copy = mkdtempSync(path.join(tmpdir(), 'pf-app-'));
  cpSync('src', path.join(copy, 'src'), { recursive: true, filter: (file) => !/\.test\.tsx?$/.test(file) });
  for (const file of ['package.json', 'dependency-cruiser.config.mjs']) cpSync(file, path.join(copy, file));
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
  for (const plant of [...forbidden, ...allowed]) {
    put(plant.in, plant.line);
    for (const target of targetsOf(plant)) put(target, '');
  }
  violations = await cruise();
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the app says no, by the name of the rule', () => {
  test.each(forbidden)('$rule: $in ← $line', ({ rule, in: file, seenFrom, line }) => {
    const found = violations.filter(({ from, rule: { name } }) => name === rule && from === (seenFrom ?? file));
    expect(found.filter(({ to }) => isTarget(line, to))).not.toEqual([]);
  });
});

describe('the app lets through', () => {
  test.each(allowed)('$in ← $line', ({ in: file, line }) => {
    const planned = new Set(['no-circles', 'server-never-reaches-tsx', 'browser-never-reaches-server']);
    const wrong = violations.filter(
      ({ from, to, rule }) => from === file && isTarget(line, to) && !planned.has(rule.name),
    );
    expect(wrong).toEqual([]);
  });
});

test('every rule of the configuration has a plant', () => {
  const rules = readFileSync('dependency-cruiser.config.mjs', 'utf8').matchAll(/forbid\(\s*'([a-z-]+)'/g);
  expect([...new Set([...rules].map(([, name]) => name))].sort()).toEqual(
    [...new Set(forbidden.map(({ rule }) => rule))].sort(),
  );
});

test('the ladder is the same here, in the configuration and in ARCHITECTURE.md, and every room is on it', () => {
  const [, configured = ''] =
    /const ladder = \[([^\]]*)\]/.exec(readFileSync('dependency-cruiser.config.mjs', 'utf8')) ?? [];
  const [reported = ''] = /^settings < .*$/m.exec(readFileSync('ARCHITECTURE.md', 'utf8')) ?? [];
  expect([...configured.matchAll(/'([a-z]+)'/g)].map(([, room]) => room)).toEqual(ladder);
  expect(reported.split(' < ')).toEqual(ladder);
  expect(readdirSync('src/features').sort()).toEqual([...ladder].sort());
});

function put(file: string, line: string): void {
  const place = path.join(copy, file);
  mkdirSync(path.dirname(place), { recursive: true });
  if (existsSync(place)) appendFileSync(place, `\n${line}`);
  else writeFileSync(place, `export type A = string;\n${line}`);
}

/** Our own files that a planted line imports; they must be there to be found, save the one that must not. */
function targetsOf(plant: Omit<Plant, 'rule'>): string[] {
  const specifier = specifierOf(plant.line);
  if (specifier.endsWith('nothing.ts')) return [];
  if (specifier.startsWith('#')) return [`src/${specifier.slice(1)}`];
  return specifier.startsWith('.') ? [path.join(path.dirname(plant.in), specifier)] : [];
}

/** `to` is a path of ours, of a package, or the bare name of one of Node's own modules. */
function isTarget(line: string, to: string): boolean {
  const specifier = specifierOf(line);
  if (/^[.#]/.test(specifier)) return `/${to}`.endsWith(specifier.replace(/^(\.\.?\/)+|^#/, '/'));
  return to === specifier.replace('node:', '') || to.startsWith(`node_modules/${specifier}/`);
}

function specifierOf(line: string): string {
  return line.match(/'([^']+)'/)?.[1] ?? '';
}

async function cruise(): Promise<Violation[]> {
  const program = path.resolve('node_modules/.bin/depcruise');
  const words = ['src', '--config', 'dependency-cruiser.config.mjs', '--preserve-symlinks', '--output-type', 'json'];
  const { stdout } = await promisify(execFile)(program, words, { cwd: copy, maxBuffer: 2 ** 28 }).catch(
    (failure: { stdout: string }) => failure,
  );
  return JSON.parse(stdout).summary.violations;
}
