import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { askTeller } from '#tests/support/planted/teller.ts';
import { median } from '../../../bench/support/figures.ts';
import { measureRate, type Rate, type Shot, warmUp } from '../../../bench/support/load.ts';
import { type Arrivals, fireAtRate } from '../../../bench/support/open-loop.ts';
import { readCpuSeconds } from '../../../bench/support/process-tree.ts';
import { bootProduct, type Product } from '../../../bench/support/product.ts';
import { enterStudio, type Studio } from '../../../bench/support/studio.ts';
import { openLink, openShot } from '../../../bench/support/viewer.ts';

const viewerCount = 64;
/** An answer that comes later is of use to nobody. */
const usefulMs = 2000;
const urgentEveryMs = 1000;
/** More than the seconds of all crowds of a run. */
const mostRevokes = 200;

/** What came of a crowd. */
export interface Crowd {
  capacityPerSecond: number;
  sent: number;
  /** Share of those sent that were answered usefully. */
  served: number;
  /** Useful answers per CPU-second of the server, as a share of the same at capacity. */
  goodput: number;
  goodputByClock: number;
  shed: number;
  /** Share of the shed that were told so within 50 ms, as the generator saw it on the same cores. */
  shedWithin50Ms: number;
  /** The same as the server saw it, from a request's head to the last byte of its no. */
  shedInsideWithin50Ms: number;
  /** How late the server's loop was: so long a request may have waited before its head was read. */
  loopP99Ms: number;
  failed: number;
  /** Revokes and looks at the health that were not answered as ever. */
  urgentFailures: unknown[];
  slowestUrgentMs: number;
  /** From the end of the crowd until an answer takes no more than twice what it took before. */
  normalAgainSeconds: number;
}

/** The product in a process of its own with a link that a crowd can open. */
export interface CrowdedApp {
  /** Measures what can be done just now, and sends so many times as much, at a fixed rate, whatever becomes of it. */
  crowd(factor: number, seconds: number): Promise<Crowd>;
  remove(): Promise<void>;
}

type ShotOf = (n: number) => Shot;

interface Refusals {
  refused: number;
  refusedWithin50Ms: number;
  loopP99Ms: number;
}
const teller = path.join(import.meta.dirname, '../../support/planted/refusal-teller.ts');

const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** Boots it, and lets it warm up. */
export async function openCrowdedApp(): Promise<CrowdedApp> {
  const product = await bootProduct({ preloaded: [teller] });
  const studio = await enterStudio(product, await product.demo());
  const albums = (await studio.call('albums.list')).albums as { id: string }[];
  const albumIds = albums.map(({ id }) => id);
  const slug = await studio.makeLink(albumIds);
  const toRevoke = await makeLinksToRevoke(studio, albumIds);
  await product.untilIdle();
  const url = product.url.replace('localhost', '127.0.0.1');
  const viewers = await Promise.all(Array.from({ length: viewerCount }, () => openLink(url, slug, 0)));
  const shotOf = openShot(url, slug, viewers, 0);
  await warmUp(product.pid, shotOf);
  const normalMs = await findNormalMs(shotOf);
  return {
    async crowd(factor, seconds) {
      // A machine that others work on as well can do something else a minute later.
      const capacity = await measureRate(product.pid, shotOf);
      const over = new AbortController();
      const insisting = insist(studio, url, toRevoke, over.signal);
      const counts = await sendMany(product, capacity.perSecond * factor, seconds, shotOf);
      over.abort();
      const normalAgainSeconds = await untilNormal(shotOf, normalMs);
      const { failures, slowestMs } = await insisting;
      return {
        ...summarizeMany(counts, capacity),
        urgentFailures: failures,
        slowestUrgentMs: Math.round(slowestMs),
        normalAgainSeconds: rounded(normalAgainSeconds),
      };
    },
    async remove() {
      studio.close();
      await product.remove();
    },
  };
}

/** @returns their ids */
async function makeLinksToRevoke(studio: Studio, albumIds: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < mostRevokes; n++) {
    const rules = { ageGate: false, blurWhenUnfocused: false };
    const { id } = await studio.call('links.create', {
      albumIds,
      linkName: `Short ${n}`,
      expiry: { kind: 'never' },
      rules,
    });
    ids.push(id);
  }
  return ids;
}

async function openOnce(shotOf: ShotOf): Promise<{ status: number; ms: number }> {
  const { url, method = 'GET', headers = {}, body } = shotOf(0);
  const began = performance.now();
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  await answer.arrayBuffer();
  return { status: answer.status, ms: performance.now() - began };
}

/** A lone answer jumps about by some milliseconds; what is meant is that nobody waits any more. */
async function findNormalMs(shotOf: ShotOf): Promise<number> {
  const usual: number[] = [];
  for (let n = 0; n < 20; n++) usual.push((await openOnce(shotOf)).ms);
  return Math.max(2 * median(usual), 50);
}

/** @returns the seconds until then */
async function untilNormal(shotOf: ShotOf, normalMs: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    const { status, ms } = await openOnce(shotOf);
    if (status === 200 && ms <= normalMs) return (performance.now() - began) / 1000;
    await wait(50);
  }
}

/** Revokes and asks after the health once a second, until it is told that the crowd has gone. */
async function insist(studio: Studio, url: string, toRevoke: string[], over: AbortSignal) {
  const failures: unknown[] = [];
  let slowestMs = 0;
  while (!over.aborted) {
    const began = performance.now();
    const [health] = await Promise.all([
      fetch(`${url}/api/health`).then(({ status }) => status),
      studio
        .call('links.revoke', { linkIds: [toRevoke.pop()] })
        .catch((error: unknown) => failures.push(String(error))),
    ]);
    if (health !== 200) failures.push(health);
    slowestMs = Math.max(slowestMs, performance.now() - began);
    await wait(urgentEveryMs, undefined, { signal: over }).catch(() => undefined);
  }
  return { failures, slowestMs };
}

/** What a crowd was answered, what the server spent on it, and whom it refused. */
interface CrowdCounts extends Arrivals, Refusals {
  spentCpuSeconds: number;
}

/** @param seconds how long it keeps coming */
async function sendMany(product: Product, perSecond: number, seconds: number, shotOf: ShotOf): Promise<CrowdCounts> {
  const toldBefore = await askTeller<Refusals>(product);
  const before = readCpuSeconds(product.pid).app;
  const arrivals = await fireAtRate(perSecond, seconds, shotOf);
  const spentCpuSeconds = readCpuSeconds(product.pid).app - before;
  const reported = await askTeller<Refusals>(product);
  return {
    ...arrivals,
    spentCpuSeconds,
    refused: reported.refused - toldBefore.refused,
    refusedWithin50Ms: reported.refusedWithin50Ms - toldBefore.refusedWithin50Ms,
    loopP99Ms: reported.loopP99Ms,
  };
}

function summarizeMany(
  { timesMs, shedTimesMs, shed, failed, seconds, spentCpuSeconds, refused, refusedWithin50Ms, loopP99Ms }: CrowdCounts,
  capacity: Rate,
): Omit<Crowd, 'urgentFailures' | 'slowestUrgentMs' | 'normalAgainSeconds'> {
  const useful = timesMs.filter((ms) => ms <= usefulMs).length;
  const sent = timesMs.length + shed + failed;
  return {
    capacityPerSecond: Math.round(capacity.perSecond),
    sent,
    served: rounded(useful / sent),
    goodput: rounded(useful / spentCpuSeconds / capacity.perCpuSecond),
    goodputByClock: rounded(useful / seconds / capacity.perSecond),
    shed,
    shedWithin50Ms: shed === 0 ? 1 : rounded(shedTimesMs.filter((ms) => ms <= 50).length / shed),
    shedInsideWithin50Ms: refused === 0 ? 1 : rounded(refusedWithin50Ms / refused),
    loopP99Ms: Math.round(loopP99Ms),
    failed,
  };
}
