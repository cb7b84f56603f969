import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';

/** A browser that was seen to run: how to launch it, and one line for the person who watches. */
export interface FoundBrowser {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
  said: string;
}

/** What lets a browser call itself a person's: without it, it says that a program drives it (WebDriver), and its visits are not counted. */
export const asPerson = '--disable-blink-features=AutomationControlled';

/** No sandbox, because tests run as root in containers too; nothing that talks to the outside or asks questions. */
export const browserFlags = [
  asPerson,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const modules = path.resolve(import.meta.dirname, '../../node_modules');
const packedIn = path.join(modules, '@sparticuz/chromium');

/**
 * Finds a Chromium for the journeys, or gets one: CHROMIUM_PATH, else the one that comes from npm, else one of this
 * machine, else Playwright's own download.
 *
 * @throws with one sentence that says what to do when there is none.
 */
export async function findBrowser(): Promise<FoundBrowser> {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    const version = await versionOf(named);
    if (!version) throw new Error(`CHROMIUM_PATH is ${named}, which does not run as a browser.`);
    return found(named, `${version} of CHROMIUM_PATH, ${named}`);
  }
  const browser = (await unpackFromNpm()) ?? (await findOnMachine()) ?? (await downloadWithPlaywright());
  if (browser) return browser;
  throw new Error(
    'No browser for the journeys: set CHROMIUM_PATH to a Chrome or Chromium, or run `npx playwright install chromium` where the network allows it.',
  );
}

function found(executablePath: string, said: string, env: Record<string, string> = {}): FoundBrowser {
  return { executablePath, args: [...browserFlags], env, said: `browser: ${said}` };
}

/** The npm package brings a headless Chromium for Linux on x64, compressed. */
async function unpackFromNpm(): Promise<FoundBrowser | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const name = `chromium-${JSON.parse(readFileSync(path.join(packedIn, 'package.json'), 'utf8')).version}`;
  for (const folder of [path.join(modules, '.cache', name), path.join(tmpdir(), `${name}-${userInfo().uid}`)]) {
    const began = performance.now();
    const isThere = existsSync(folder);
    if (!isThere && !(await unpack(folder))) continue;
    const how = isThere ? 'already unpacked in' : `unpacked in ${secondsSince(began)} s to`;
    return tryUnpacked(folder, how);
  }
  return undefined;
}

/** Libraries and fonts that a bare machine lacks come with the package; a machine that has its own keeps them. */
async function tryUnpacked(folder: string, how: string): Promise<FoundBrowser | undefined> {
  const executablePath = path.join(folder, 'chromium');
  const fonts = existsSync('/etc/fonts/fonts.conf') ? undefined : { FONTCONFIG_FILE: path.join(folder, 'fonts.conf') };
  for (const libraries of [undefined, { LD_LIBRARY_PATH: path.join(folder, 'al2023/lib') }]) {
    const env = { ...fonts, ...libraries };
    const version = await versionOf(executablePath, env);
    const brought = [libraries && 'libraries', fonts && 'fonts'].filter(Boolean).join(' and ');
    const said = `${version} from npm (@sparticuz/chromium), ${how} ${folder}${brought && ` with its own ${brought}`}`;
    if (version) return found(executablePath, said, env);
  }
  return undefined;
}

/**
 * The package unpacks into the temporary folder and takes whatever lies there for whole: it gets a new folder, which is
 * renamed when complete and is readable by every user of this machine.
 */
async function unpack(folder: string): Promise<boolean> {
  const draft = `${folder}.new.${process.pid}`;
  const temporary = process.env.TMPDIR;
  try {
    await mkdir(draft, { recursive: true });
    process.env.TMPDIR = draft;
    const { default: npmChromium, inflate } = await import('@sparticuz/chromium');
    await chmod(await npmChromium.executablePath(), 0o755);
    await inflate(path.join(packedIn, 'bin/al2023.tar.br'));
    await writeFile(
      path.join(draft, 'fonts.conf'),
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts</dir></fontconfig>\n`,
    );
    await rename(draft, folder);
    return true;
  } catch {
    return existsSync(folder);
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    await rm(draft, { recursive: true, force: true });
  }
}

const namesInPath = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge'];
const placesOfApps = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

async function findOnMachine(): Promise<FoundBrowser | undefined> {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const inPath = namesInPath.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  for (const file of [...inPath, ...placesOfApps]) {
    const version = existsSync(file) && (await versionOf(file));
    if (version) return found(file, `${version} of this machine, ${file}`);
  }
  return undefined;
}

async function downloadWithPlaywright(): Promise<FoundBrowser | undefined> {
  const began = performance.now();
  const executablePath = chromium.executablePath();
  const isThere = existsSync(executablePath);
  if (!isThere) {
    process.stdout.write('browser: none found, so Playwright downloads one …\n');
    spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit', shell: process.platform === 'win32' });
  }
  const version = existsSync(executablePath) && (await versionOf(executablePath));
  if (!version) return undefined;
  const how = isThere ? 'already there' : `downloaded in ${secondsSince(began)} s`;
  return found(executablePath, `${version} of Playwright, ${how}: ${executablePath}`);
}

/** What the browser calls itself; nothing when it does not run. On Windows it would open a window instead of answering. */
async function versionOf(file: string, env: Record<string, string> = {}): Promise<string | undefined> {
  if (process.platform === 'win32') return path.basename(file, '.exe');
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], {
      timeout: 20_000,
      env: { ...process.env, ...env },
    });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}
