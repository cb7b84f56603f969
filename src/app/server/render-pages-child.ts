import { parentPort, workerData } from 'node:worker_threads';
import type { Facts } from '#features/marketing/contract.ts';

/*
 * Renders the public pages in a thread of its own, which ends with it: React is needed for half a second now and then, and would
 * stay in the memory of the app for ever.
 */
const { renderer, facts } = workerData as { renderer: string; facts: Facts };
const { renderPages } = (await import(renderer)) as { renderPages: (facts: Facts) => Record<string, string> };
parentPort?.postMessage(renderPages(facts));
