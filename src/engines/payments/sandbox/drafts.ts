import type { Tx } from '../../database/work.ts';
import { findObject, type Kept, keepObjects, noteEvents, type ToKeep, type ToNote } from './store.ts';

/** What is kept beside an object. */
interface Beside {
  hidden: Record<string, unknown>;
  account: string;
}

/** The objects of one call: each is read once, and what is written travels together. */
export interface Drafts {
  /** The same transaction; whatever is asked of it finds all that was written before. */
  tx: Tx;
  findBody(id: string): Promise<Kept | undefined>;
  findBeside(id: string): Promise<Beside | undefined>;
  keep(object: Kept, account: string, hidden: object): void;
  note(hook: string, body: Kept, at: Date): void;
  /** Returns whether anything was noted so far. */
  hasNews(): boolean;
  /** Writes what is not written yet. */
  write(): Promise<void>;
}

/** What a column will hold: fields without a value are left out. */
const asStored = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

/** Collects the writes of a transaction that is alone with the sandbox's objects. Bodies wait as text: nobody changes one by holding it. */
export function openDrafts(own: Tx): Drafts {
  const read = new Map<string, Promise<(Beside & { body: string }) | undefined>>();
  const unwritten = new Map<string, ToKeep>();
  const events: ToNote[] = [];
  let hasNews = false;
  const readOnce = (id: string) => {
    const known = read.get(id) ?? findObject(own, id).then((row) => row && { ...row, body: JSON.stringify(row.body) });
    read.set(id, known);
    return known;
  };
  async function write(): Promise<void> {
    const [objects, news] = [[...unwritten.values()], events.splice(0)];
    unwritten.clear();
    for (const { id } of objects) read.delete(id);
    if (objects.length > 0) await keepObjects(own, objects);
    if (news.length > 0) await noteEvents(own, news);
  }
  const query: Tx['query'] = async (statement, values) => {
    await write();
    return own.query(statement, values);
  };
  return {
    tx: Object.create(own, { query: { value: query } }) as Tx,
    async findBody(id) {
      const body = unwritten.get(id)?.body ?? (await readOnce(id))?.body;
      return body === undefined ? undefined : (JSON.parse(body) as Kept);
    },
    async findBeside(id) {
      const [before, draft] = [await readOnce(id), unwritten.get(id)];
      const account = before?.account ?? draft?.account;
      return account === undefined ? undefined : { account, hidden: { ...before?.hidden, ...draft?.hidden } };
    },
    keep(object, account, hidden) {
      const before = unwritten.get(object.id);
      unwritten.set(object.id, {
        id: object.id,
        account: before?.account ?? account,
        type: object.object,
        body: JSON.stringify(object),
        hidden: { ...before?.hidden, ...asStored(hidden) },
      });
    },
    note(hook, body, at) {
      hasNews = true;
      events.push({ id: body.id, hook, body: JSON.stringify(body), at });
    },
    hasNews: () => hasNews,
    write,
  };
}
