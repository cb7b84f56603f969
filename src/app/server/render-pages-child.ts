import { parentPort, workerData } from 'node:worker_threads';
import type { SiteFacts } from '#app/pages/site-facts.ts';

/*
 * Renders the public pages in a thread of its own, which ends with it: React is needed for half a second now and then, and would
 * stay in the memory of the app for ever.
 */
const { renderer, facts } = workerData as { renderer: string; facts: SiteFacts };
const { renderPages } = (await import(renderer)) as { renderPages: (facts: SiteFacts) => Record<string, string> };
parentPort?.postMessage(renderPages(facts));
