import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** What a part offers to be compared with: it gets ready, says how to reach it, and may do work when it is asked. */
export interface Comparator {
  /** What the part must know of it; JSON. */
  says?: object;
  /** Does one piece of work; its answer is JSON. */
  work?(order: never): Promise<object>;
}

/** A comparator that runs in a process of its own, so that its CPU can be read apart. */
export interface Running {
  pid: number;
  // biome-ignore lint/suspicious/noExplicitAny: each comparator says something else
  says: any;
  // biome-ignore lint/suspicious/noExplicitAny: each comparator answers something else
  ask(order: object): Promise<any>;
  close(): Promise<void>;
}

/** Starts a comparator of a part. */
export async function startComparator(part: string, name: string, settings: object = {}): Promise<Running> {
  const entry = path.resolve(import.meta.dirname, '../comparator-child.ts');
  const child = fork(entry, [part, name, JSON.stringify(settings)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.setMaxListeners(0); // many orders may wait at once
  const gone = once(child, 'exit').then(() => {
    throw new Error(`The comparator "${name}" of ${part} ended.`);
  });
  gone.catch(() => undefined);
  const hear = async () => {
    const [message] = await Promise.race([once(child, 'message'), gone]);
    const { failed } = message as { failed?: string };
    if (failed !== undefined) throw new Error(`The comparator "${name}" of ${part}: ${failed}`);
    return message;
  };
  const { says } = (await hear()) as { says: unknown };
  return {
    pid: child.pid ?? 0,
    says,
    ask: async (order) => {
      child.send(order);
      return ((await hear()) as { answer: unknown }).answer;
    },
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
