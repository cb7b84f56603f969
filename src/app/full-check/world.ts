import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from '#engines/engines.ts';
import { newToken } from '#kit/ids.ts';
import { syntheticDomain } from '#kit/synthetic-address.ts';
import { createLive } from '#wire/live.ts';
import { createServer } from '../server/server.ts';
import { openBrowser, type SyntheticBrowser } from './browser.ts';

/** Thrown by a step that cannot be made in this installation. */
export class NotRun extends Error {}

/** What a run has at hand, and what its steps have made so far. */
export interface World {
  engines: Engines;
  checkId: string;
  /** For files on their way. */
  folder: string;
  signal: AbortSignal;
  /** Somebody new, with a phone. */
  openPhone(): SyntheticBrowser;
  /** Somebody new, with a computer. */
  openComputer(): SyntheticBrowser;
  /** An address that is nobody's. */
  addressOf(role: string): string;
  /** Looks again and again until something is there. @throws when it is not there by the end, or the run ends */
  until<T>(what: string, look: () => Promise<T | undefined>): Promise<T>;
  creator: Creator | undefined;
  album: Album | undefined;
  /** Links by what they ask for. */
  links: Map<string, { id: string; slug: string; name: string }>;
  shown: ShownPicture | undefined;
  /** Procedures that were called so far and did what they were asked. */
  passedCalls: Set<string>;
}

export interface Creator {
  browser: SyntheticBrowser;
  userId: string;
  email: string;
  password: string;
}

export interface Album {
  id: string;
  photoId?: string;
  videoId?: string;
}

/** What came onto a viewer's screen, and by which link. */
export interface ShownPicture {
  viewer: SyntheticBrowser;
  visitId: string;
  linkId: string;
  /** What was on the screen, saved as a messenger does. */
  copy: Buffer;
}

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const computer =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const lookMs = 250;
/** Ends what hangs; on no machine is it how long a step takes. */
const longestWaitMs = 240_000;

/** Calls that nobody made from outside are no lines of the log. */
const quiet = (log: Engines['log']): Engines['log'] => ({ ...log, info: () => undefined });

/** Opens the product once more without a port, for browsers of this process alone. @returns it, and what closes it */
export async function openWorld(
  engines: Engines,
  checkId: string,
  signal: AbortSignal,
): Promise<{ world: World; close(): Promise<void> }> {
  const live = createLive(engines.clock);
  const patience = { loopMs: 0, poolMs: 0 };
  const { sandbox, log } = engines;
  // The provider's events go on to whoever has taken them so far.
  const quieted = sandbox && { ...sandbox, deliverTo: () => undefined };
  const own = { ...engines, log: quiet(log), sandbox: quieted };
  const server = await createServer(own, live, { trustedProxies: undefined, patience });
  const { host } = new URL(engines.installation.publicUrl);
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-full-check-'));
  const addressOfNext = openAddresses();
  const token = newToken(22).toLowerCase();
  const passedCalls = new Set<string>();
  const open = (userAgent: string) =>
    openBrowser(server, host, { address: addressOfNext(), userAgent }, (name) => passedCalls.add(name));
  const world: World = {
    engines,
    checkId,
    folder,
    signal,
    openPhone: () => open(phone),
    openComputer: () => open(computer),
    addressOf: (role) => `${role}.${token}@${syntheticDomain}`,
    until: (what, look) => lookUntil(what, look, signal),
    creator: undefined,
    album: undefined,
    links: new Map(),
    shown: undefined,
    passedCalls,
  };
  return {
    world,
    async close() {
      live.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Addresses, each in a network of its own: out of the block that RFC 3849 keeps for documents, from which nobody calls. So what is
 * counted by networks is never used up by the check, and is the same for everybody else.
 */
function openAddresses(): () => string {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint16Array(2));
  let count = 0;
  return () => {
    count += 1;
    return `2001:db8:${high.toString(16)}:${(low ^ count).toString(16)}::1`;
  };
}

async function lookUntil<T>(what: string, look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  const beganMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() - beganMs > longestWaitMs)
      throw new Error(`${what} has not come in ${longestWaitMs / 1000} s.`);
    await wait(lookMs, undefined, { signal });
  }
}

/** What a step before it has made. @throws where it has not */
export function made<T>(thing: T | undefined, what: string): T {
  if (thing === undefined) throw new Error(`There is no ${what}.`);
  return thing;
}
