/**
 * Makes `npm start` and `npm test` each THE one command on a fresh clone: installs what is missing, builds what is
 * stale, then runs the given command on the Node 24 that came with the packages.
 *
 *   node scripts/ensure.mjs [build] (server | -- <command> [arguments])
 *
 * `server` is the product itself, with the flags and the environment that package.json names for it.
 *
 * Runs on any Node >= 18: no dependencies, no types, nothing newer than Node 18.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { oneAtATime } from './ensure-lock.mjs';

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const onWindows = process.platform === 'win32';
const bin = path.resolve('node_modules/.bin');
const [tasks, [command, ...rest], environment] = readCommand(process.argv.slice(2));
if (!command) refuse('usage: node scripts/ensure.mjs [build] (server | -- <command> [arguments])');

/** The process that runs now; signals go to it. */
let running;
let stopping = false;
process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGINT', () => stop('SIGINT'));

const wantsBuild = tasks.includes('build');
const { needed, check } = tasks.includes('server') ? readJson('package.json').config.server : {};
if (needed) await refuseMissing(needed);
if (!isInstalled() || (wantsBuild && !isBuilt()))
  await oneAtATime(path.resolve('.ensure-lock'), async () => {
    if (!isInstalled()) await install();
    requireNode();
    if (check) await checkSettings(check);
    if (wantsBuild && !isBuilt()) await build();
  }).catch((error) => refuse(`Cannot install or build in ${process.cwd()}: ${error.message}`));
requireNode();
const ended = run(command, rest, 'inherit', undefined, environment);
watchOver(running);
process.exit(await ended);

/** What is to be done before, what is run then, and what it finds in its environment unless the person said otherwise. */
function readCommand(words) {
  const dashes = words.indexOf('--');
  if (dashes >= 0) return [words.slice(0, dashes), words.slice(dashes + 1), {}];
  if (!words.includes('server')) return [words, [], {}];
  const { entry, flags, environment } = readJson('package.json').config.server;
  return [words, ['node', ...flags, entry], environment];
}

/** Says what is missing in the environment before anything is installed or built for it. */
async function refuseMissing(file) {
  const { findMissing, findMistyped } = await import(pathToFileURL(path.resolve(file)).href);
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const missing = findMissing(given);
  if (missing.length === 0) return;
  const lines = [...missing, ...findMistyped(given)].map((line) => `  ${line}`);
  refuse(`The environment variables are not valid:\n${lines.join('\n')}`);
}

/** The same of every value, once there is a Node that reads the code. */
async function checkSettings(file) {
  const code = await run('node', [file], 'inherit');
  if (code !== 0) process.exit(code);
}

/** The packages are installed when npm's own note of what it put down agrees with the lock; file times say nothing after a clone. */
function isInstalled() {
  const wanted = readJson('package-lock.json')?.packages;
  const present = readJson('node_modules/.package-lock.json')?.packages;
  if (!wanted || !present) return false;
  if (!declaresTheSame(readJson('package.json'), wanted[''])) return false;
  return Object.entries(wanted).every(
    ([place, { version, integrity, optional }]) =>
      place === '' ||
      (present[place] ? present[place].version === version && agree(present[place].integrity, integrity) : optional),
  );
}

function agree(one, other) {
  return !one || !other || one === other;
}

function declaresTheSame(declared, locked) {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  const list = (from) => JSON.stringify(kinds.map((kind) => Object.entries(from?.[kind] ?? {}).sort()));
  return list(declared) === list(locked);
}

async function install() {
  await step('Installing packages', () =>
    npm('ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'),
  );
  if (!isInstalled())
    refuse('npm installed the packages but they differ from package-lock.json. Run `npm run lock`, then start again.');
}

/** Fresh when the note that the last build left behind names the same files in the same state. It is written last: a killed build has none. */
function isBuilt() {
  const { output, inputs } = buildConfig();
  return existsSync(output) && readFileSync(output, 'utf8') === fingerprint(inputs);
}

async function build() {
  const { output, inputs } = buildConfig();
  const builtFrom = fingerprint(inputs);
  rmSync(output, { force: true });
  await step('Building pages', () => npm('run', '--silent', 'build'));
  mkdirSync(path.dirname(output), { recursive: true });
  writeFileSync(output, builtFrom);
}

function buildConfig() {
  return readJson('package.json').config.build;
}

/** Paths, sizes and times of all files under the inputs, as one hash: a deleted or older file is a change too. */
function fingerprint(inputs) {
  const hash = createHash('sha256').update(readFileSync('package.json'));
  for (const input of inputs) for (const line of states(input)) hash.update(`${line}\n`);
  return hash.digest('hex');
}

function states(place) {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!found || /\.test\.tsx?$/.test(place)) return [];
  if (!found.isDirectory()) return [`${place} ${found.size} ${found.mtimeMs}`];
  return readdirSync(place)
    .sort()
    .flatMap((name) => states(path.join(place, name)));
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Node 24 came as a package for most platforms; elsewhere, as on Apple silicon, the person's own may be new enough. */
function requireNode() {
  if (existsSync(path.join(bin, onWindows ? 'node.cmd' : 'node'))) return;
  const found = spawnSync('node', ['--version'], { encoding: 'utf8', shell: onWindows }).stdout?.trim() ?? '';
  const [major = 0, minor = 0] = found.replace('v', '').split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 12)) return;
  refuse(
    `PrivateFans runs on Node 24.12 or newer. It brings its own for Linux, Windows and Intel Macs, but none came for ${process.platform}-${process.arch}, and \`node\` is ${found || 'missing'}. Install Node 24 from https://nodejs.org and start again.`,
  );
}

/** Says in one line what is done and how long it took; what the tool itself said is shown only when it fails. */
async function step(what, start) {
  const began = Date.now();
  process.stdout.write(`${what} … `);
  const { code, said } = await start();
  if (stopping) process.exit(code);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  process.stdout.write(code === 0 ? `done in ${seconds} s\n` : `failed after ${seconds} s\n`);
  if (code === 0) return;
  process.stderr.write(said);
  process.exit(code);
}

async function npm(...words) {
  const own = process.env.npm_execpath;
  const [file, ...first] = own && path.basename(own) === 'npm-cli.js' ? [process.execPath, own] : ['npm'];
  const said = [];
  const code = await run(file, [...first, ...words], ['ignore', 'pipe', 'pipe'], (text) => said.push(text));
  return { code, said: said.join('') };
}

/** Runs to the end and tells the exit status as a shell would. */
function run(file, words, stdio, hear, environment = {}) {
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const env = { ...environment, ...process.env, [pathName]: bin + path.delimiter + (process.env[pathName] ?? '') };
  return new Promise((resolve) => {
    running = spawn(file, words, { stdio, env, shell: onWindows });
    running.stdout?.on('data', hear);
    running.stderr?.on('data', hear);
    running.on('error', (error) => {
      process.stderr.write(
        `\`${file}\` cannot be run here: ${error.message}. If node_modules came from another machine, delete it and start again.\n`,
      );
      resolve(127);
    });
    running.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/** A terminal gives Ctrl-C to every process in front of it, so the child has it already; other senders reach only us. */
function stop(signal) {
  if (!running) process.exit(128 + constants.signals[signal]);
  if (signal === 'SIGTERM' || stopping || !process.stdin.isTTY) running.kill(signal);
  stopping = true;
}

/** `kill -9` of npm or of this process must not leave the command running behind. */
function watchOver(child) {
  if (onWindows || !child.pid) return;
  const npmPids = findNpm();
  const look = setInterval(() => {
    if (findNpm() === npmPids) return;
    clearInterval(look);
    stop('SIGTERM');
  }, 250);
  const lastWill = 'trap "" INT TERM HUP; read -r _; kill -TERM "$1" 2>/dev/null';
  const guard = spawn('/bin/sh', ['-c', lastWill, 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.on('close', () => guard.kill('SIGKILL'));
}

/** npm runs a script through a shell, which outlives it: tells both process ids. Nothing when it was not npm that started us. */
function findNpm() {
  if (!process.env.npm_lifecycle_event) return '';
  const shell = process.ppid;
  try {
    const isShell = readFileSync(`/proc/${shell}/cmdline`, 'utf8').includes('ensure.mjs');
    const afterName = readFileSync(`/proc/${shell}/stat`, 'utf8').split(') ').at(-1);
    return isShell ? `${shell} ${afterName.split(' ')[1]}` : `${shell}`;
  } catch {
    return `${shell}`;
  }
}

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
