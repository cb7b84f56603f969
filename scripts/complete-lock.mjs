/**
 * Completes package-lock.json with the platform packages that npm left out.
 *
 * npm drops an optional dependency from the lock when its registry does not offer that exact version; `npm ci` then
 * refuses the lock ("Missing: … from lock file") here and everywhere else. Each one is written back with the platform
 * that its name tells, so that npm skips it elsewhere and fetches it where it fits.
 *
 *   node scripts/complete-lock.mjs [package-lock.json]      any Node >= 18, no dependencies
 */
import { readFileSync, writeFileSync } from 'node:fs';

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];
/** Words that packages use for a system, processor or C library whose name in npm is another. */
const otherNames = {
  windows: 'win32',
  win: 'win32',
  armv7: 'arm',
  arm64ec: 'arm64',
  ppc64le: 'ppc64',
  riscv64gc: 'riscv64',
  musleabihf: 'musl',
  gnu: 'glibc',
  gnueabihf: 'glibc',
};
const exactVersion = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

const file = process.argv[2] ?? 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = findMissing(lock.packages);
for (const { name, ...entry } of missing) lock.packages[`node_modules/${name}`] = entry;
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
for (const { name, version } of missing) console.log(`added ${name}@${version}`);
console.log(missing.length ? `${file}: completed with ${missing.length} platform packages` : `${file}: complete`);

function findMissing(packages) {
  return Object.entries(packages).flatMap(([place, { optionalDependencies, dev }]) =>
    Object.entries(optionalDependencies ?? {})
      .filter(([name, version]) => exactVersion.test(version) && !isFound(packages, place, name))
      .map(([name, version]) => entryOf(name, version, dev))
      .filter((entry) => entry.os || entry.cpu),
  );
}

/** Looks where Node would: beside the package at `place`, then in every folder above it. */
function isFound(packages, place, name) {
  if (packages[`${place && `${place}/`}node_modules/${name}`]) return true;
  if (!place) return false;
  return isFound(packages, place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1)), name);
}

/** `@biomejs/cli-linux-x64-musl` runs on os linux, cpu x64, libc musl. */
function entryOf(name, version, dev) {
  const words = name
    .slice(name.indexOf('/') + 1)
    .split(/[-_.]/)
    .map((word) => otherNames[word] ?? word);
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  const libc = os === 'linux' ? ['musl', 'glibc'].find((library) => words.includes(library)) : undefined;
  return {
    name,
    version,
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev: true }),
    ...(libc && { libc: [libc] }),
    optional: true,
    ...(os && { os: [os] }),
  };
}
