import { Agent } from 'node:http';
import { type Shot, shoot } from './load.ts';

/** What came of requests that were sent at their own pace, whether or not the earlier ones were answered. */
export interface Arrivals {
  /** Milliseconds from the moment a request was due to its answer's last byte, of those answered with 200. */
  timesMs: number[];
  /** Milliseconds from the sending of those that were told to come again, to their answer's last byte. */
  shedTimesMs: number[];
  shed: number;
  /** Neither answered nor shed: cut, refused or of another status. */
  failed: number;
  /** Why they failed: how many for each reason, and in which seconds the first and the last of them. */
  reasons: Map<string, { count: number; first: number; last: number }>;
  seconds: number;
}

/** More than this at once would measure the generator's own memory. */
const mostUnderWay = 4000;

/**
 * Sends requests at a fixed rate for a while and waits for all answers (an open loop: overload is not hidden by waiting).
 * @param shotOf the request with that number
 */
export async function fireAtRate(perSecond: number, seconds: number, shotOf: (n: number) => Shot): Promise<Arrivals> {
  const agent = new Agent({ keepAlive: true, maxSockets: 512, maxFreeSockets: 512 });
  const arrivals: Arrivals = { timesMs: [], shedTimesMs: [], shed: 0, failed: 0, reasons: new Map(), seconds };
  const began = performance.now();
  const total = Math.round(perSecond * seconds);
  const underWay = new Set<Promise<void>>();
  const fail = (reason: string) => {
    arrivals.failed++;
    const last = Math.round((performance.now() - began) / 1000);
    const { count, first } = arrivals.reasons.get(reason) ?? { count: 0, first: last };
    arrivals.reasons.set(reason, { count: count + 1, first, last });
  };
  const send = async (n: number) => {
    const dueMs = began + (n * 1000) / perSecond;
    const sentMs = performance.now();
    try {
      const { status } = await shoot(agent, shotOf(n));
      if (status === 200) arrivals.timesMs.push(performance.now() - dueMs);
      else {
        arrivals.shed++;
        arrivals.shedTimesMs.push(performance.now() - sentMs);
      }
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  };
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * perSecond) + 1);
    for (; sent < due; sent++) {
      if (underWay.size >= mostUnderWay) {
        fail('too many under way');
        continue;
      }
      const one: Promise<void> = send(sent).finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await new Promise((next) => setTimeout(next, 2));
  }
  await Promise.all(underWay);
  agent.destroy();
  return arrivals;
}
