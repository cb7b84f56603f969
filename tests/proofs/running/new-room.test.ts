import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { guards } from '../counts.ts';

guards(
  'scripts/new-room.ts',
  'scripts/room/**',
  'src/app/rooms.ts',
  'src/app/routes.ts',
  'tests/support/*.ts',
  '*.config.mjs',
  'tsconfig*.json',
);

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 }); // it type-checks the whole project

let copy: string;
let stamped: { code: number; said: string };

/** A copy of the project with a rung for a new room, in which `npm run new -- compliance gift-card` was said. */
beforeAll(async () => {
  copy = mkdtempSync(path.join(tmpdir(), 'pf-new-room-'));
  const files = readdirSync('.').filter((name) => /\.(json|mjs|ts)$/.test(name) && name !== 'package-lock.json');
  for (const name of ['src', 'db', 'scripts', 'tests/support', ...files])
    cpSync(name, path.join(copy, name), { recursive: true });
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
  const ladder = path.join(copy, 'dependency-cruiser.config.mjs');
  writeFileSync(ladder, readFileSync(ladder, 'utf8').replace("  'marketing',\n", "  'compliance',\n  'marketing',\n"));
  stamped = await run(process.execPath, 'scripts/new-room.ts', 'compliance', 'gift-card');
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('a stamped room has its files, its table and its lines in the app', () => {
  expect(stamped).toMatchObject({ code: 0, said: expect.stringContaining('It works as it is.') });
  expect(readdirSync(path.join(copy, 'src/features/compliance')).sort()).toEqual(
    ['api.test.ts', 'api.ts', 'contract.ts', 'compliance-page.tsx', 'rules.test.ts', 'rules.ts', 'store.ts'].sort(),
  );
  expect(read('src/app/rooms.ts')).toMatch(/\bcompliance: complianceApi\b/);
  expect(read('src/app/routes.ts')).toContain("route('/compliance', '../features/compliance/compliance-page.tsx')");
  expect(read('db/schema.sql')).toContain('create table gift_cards (');
  expect(read('src/engines/database/tables.ts')).toContain('  gift_cards: GiftCardsTable;');
});

test('a stamped room has the right types, the right manners and the right neighbours, and its tests pass', async () => {
  const bin = (name: string) => path.resolve('node_modules/.bin', name);
  const [server, web, lint, app, tests] = await Promise.all([
    run(bin('tsc'), '-p', 'tsconfig.server.json', '--pretty', 'false'),
    run(bin('tsc'), '-p', 'tsconfig.web.json', '--pretty', 'false'),
    run(
      bin('biome'),
      'check',
      '--error-on-warnings',
      'src/features/compliance',
      'src/app/rooms.ts',
      'src/app/routes.ts',
    ),
    run(bin('depcruise'), 'src', '--config', 'dependency-cruiser.config.mjs', '--preserve-symlinks'),
    run(bin('vitest'), 'run', 'src/features/compliance'),
  ]);
  const ofRoom = (said: string) =>
    said.split('\n').filter((line) => /features\/compliance|app\/ro(oms|utes)\.ts/.test(line));
  expect(ofRoom(server.said)).toEqual([]);
  expect(ofRoom(web.said)).toEqual([]);
  expect(ofRoom(app.said)).toEqual([]);
  expect(lint).toMatchObject({ code: 0 });
  expect(tests).toMatchObject({ code: 0 });
});

test('a room that stands is left alone', async () => {
  const { code, said } = await run(process.execPath, 'scripts/new-room.ts', 'compliance', 'gift-card');
  expect(code).toBe(1);
  expect(said).toContain('The room stands already: src/features/compliance/contract.ts');
});

test('a room without a rung is refused with the place where rungs are added', async () => {
  const { code, said } = await run(process.execPath, 'scripts/new-room.ts', 'gossip');
  expect(code).toBe(1);
  expect(said).toMatch(
    /`gossip` has no rung on the ladder: settings < .* < dashboard\. Add one .* dependency-cruiser\.config\.mjs/,
  );
});

function read(file: string): string {
  return readFileSync(path.join(copy, file), 'utf8');
}

function run(program: string, ...words: string[]) {
  const { VITEST: _, ...env } = process.env;
  return new Promise<{ code: number; said: string }>((resolve) => {
    execFile(program, words, { cwd: copy, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
  });
}
