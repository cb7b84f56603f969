/**
 * Lets one process at a time install and build in this folder, so that two `npm start` at once do not damage each
 * other's work. The lock is a folder that holds one file named after its owner; it is made, taken over and given back
 * by single renames, and the file's time is the owner's pulse.
 */
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';

const pulseSeconds = 1;
const silenceSeconds = 15;
const me = `${hostname()}-${process.pid}`;

/** Waits for its turn, works, and gives the turn back even when the process ends in the middle. */
export async function oneAtATime(lock, work) {
  await take(lock);
  const mine = path.join(lock, me);
  const giveBack = () => {
    rmSync(mine, { force: true });
    attempt(() => rmdirSync(lock));
  };
  const pulse = setInterval(() => attempt(() => utimesSync(mine, new Date(), new Date())), pulseSeconds * 1000);
  process.on('exit', giveBack);
  try {
    return await work();
  } finally {
    clearInterval(pulse);
    process.off('exit', giveBack);
    giveBack();
  }
}

async function take(lock) {
  let seen = {};
  let isSaid = false;
  while (!create(lock)) {
    const owner = attempt(() => readdirSync(lock))?.[0] ?? '';
    const pulse = attempt(() => statSync(path.join(lock, owner)))?.mtimeMs;
    if (seen.owner !== owner || seen.pulse !== pulse) seen = { owner, pulse, since: process.uptime() };
    const isSilent = process.uptime() - seen.since > silenceSeconds;
    if (owner && (isSilent || isDead(owner)) && attempt(() => takeOver(lock, owner))) return;
    if (!isSaid) process.stdout.write('Another process is installing or building here; waiting for it.\n');
    isSaid = true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** A full folder cannot be renamed onto: whoever comes first has it. */
function create(lock) {
  const draft = `${lock}.${me}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(path.join(draft, me), '');
  if (attempt(() => renameSync(draft, lock) ?? true)) return true;
  rmSync(draft, { recursive: true, force: true });
  return false;
}

/** Only one of many can rename the dead owner's file. */
function takeOver(lock, owner) {
  renameSync(path.join(lock, owner), path.join(lock, me));
  utimesSync(path.join(lock, me), new Date(), new Date());
  return true;
}

function isDead(owner) {
  const at = owner.lastIndexOf('-');
  if (owner.slice(0, at) !== hostname()) return false;
  try {
    process.kill(Number(owner.slice(at + 1)), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** A loser of a race tries again: what failed is undefined. */
function attempt(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}
