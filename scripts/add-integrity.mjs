/**
 * Gives every package of package-lock.json its hash.
 *
 * npm writes none for the packages of other platforms that `complete-lock.mjs` has to put back. Without one, npm installs whatever a
 * registry or a mirror serves under that name and version.
 *
 *   node scripts/add-integrity.mjs [package-lock.json]      any Node >= 18, no dependencies; asks the registry of npm's settings
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.argv[2] ?? 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8'));
const bare = Object.entries(lock.packages).filter(([place, { integrity }]) => place !== '' && integrity === undefined);
const unknown = [];
for (const [place, entry] of bare) {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = askIntegrity(`${name}@${entry.version}`);
  if (integrity === undefined) unknown.push(`${name}@${entry.version}`);
  else lock.packages[place] = placed(entry, integrity);
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
if (unknown.length > 0) {
  console.error(`${file}: the registry has no hash of ${unknown.join(', ')}. Choose versions that it offers.`);
  process.exit(1);
}
console.log(bare.length > 0 ? `${file}: ${bare.length} hashes added` : `${file}: every package has its hash`);

function askIntegrity(nameAndVersion) {
  try {
    const said = execFileSync('npm', ['view', nameAndVersion, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    });
    return /^sha512-[A-Za-z0-9+/]+=*$/.exec(said.trim())?.[0];
  } catch {
    return undefined; // The caller tells of everything that the registry does not have.
  }
}

/** Where npm writes it: behind the version. */
function placed({ version, ...rest }, integrity) {
  return { version, integrity, ...rest };
}
