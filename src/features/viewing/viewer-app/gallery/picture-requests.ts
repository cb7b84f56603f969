import type { DrawReport } from '#features/media/browser/drawer.ts';
import type { Drawer } from '#features/media/browser/open-drawer.ts';
import type { Wanted } from '#features/media/browser/picture-stream.ts';
import type { Lease } from '../../contract.ts';

/** A picture that could not be drawn so often will not be drawn the next time. */
const mostTries = 3;
const mostAtOnce = 24;
/** After a broken line or a busy server. */
const retryMs = 2000;

const nameOf = ({ mediaId, rendition }: Wanted) => `${mediaId}/${rendition}`;

export interface PictureRequestsSettings {
  visitId: string;
  /** A creator's preview: what is their own is lent to them as in the studio. */
  isPreview?: boolean | undefined;
  drawer: Drawer;
  nextStream(): number;
  /** Ends a stream that is still coming; the drawer says what it owes. */
  halt(stream: number): void;
  /** Returns whether anything is still looked at for which the gallery gives way. */
  isLookedAt(): boolean;
  /** What `open` itself sends, and on which stream. */
  leases: readonly Lease[];
  openStream: number;
  /** Access has ended. */
  onRefused(refusal: unknown): void;
  /** Something did not come; after this time it may be asked for again. */
  onMissed(waitMs: number): void;
}

/** Knows which pictures are here or on their way, and asks for the others. */
export interface PictureRequests {
  /** When nothing more comes of what `open` itself sends. */
  opened: Promise<unknown>;
  isHere(item: Wanted): boolean;
  /** Asks for what is not here yet. @returns when the answer is over: whether it came */
  ask(items: readonly Wanted[]): Promise<boolean>;
  /** The same for what is looked at now: as soon as it begins to come, and is still looked at, the gallery gives way. */
  askFirst(items: readonly Wanted[]): Promise<boolean>;
  /** Whether something that is looked at now is on its way. */
  isHurrying(): boolean;
  /** Ends what is on its way and not looked at now; it may be asked for again. */
  giveWay(): void;
  receive(report: DrawReport): void;
  /** Everything went blank: each picture has to be asked for again. */
  forget(): void;
}

interface Debt {
  names: readonly string[];
  isFirst: boolean;
  settle(hasCome: boolean): void;
}

export function createPictureRequests(settings: PictureRequestsSettings): PictureRequests {
  const here = new Set<string>(settings.leases.map(nameOf));
  const failures = new Map<string, number>();
  /** What each stream owes until it ends. */
  const debts = new Map<number, Debt>();
  const opened = new Promise<boolean>((settle) => {
    debts.set(settings.openStream, { names: [...here], isFirst: false, settle });
  });

  const close = (stream: number, hasCome: boolean, owed = debts.get(stream)?.names) => {
    const debt = debts.get(stream);
    debts.delete(stream);
    if (!hasCome) for (const name of owed ?? []) here.delete(name);
    debt?.settle(hasCome);
  };
  const giveWay = () => {
    for (const [stream, { isFirst }] of debts) if (!isFirst) settings.halt(stream);
  };
  const receivePicture = createPictureListener(here, failures, settings.onMissed);
  const receiveStream = (report: Extract<DrawReport, { stream: number }>) => {
    const debt = debts.get(report.stream);
    if (debt === undefined) return;
    if (report.did === 'head') return debt.isFirst && settings.isLookedAt() ? giveWay() : undefined;
    if (report.did === 'halted') return close(report.stream, false, report.owed);
    close(report.stream, report.did === 'ended');
    if (report.did === 'broken') settings.onMissed(retryMs);
    if (report.did === 'refused') receiveRefusal(settings, report);
  };
  const ask = (wanted: readonly Wanted[], rank: Pick<Debt, 'isFirst'>): Promise<boolean> => {
    const items = wanted.filter((item) => !here.has(nameOf(item))).slice(0, mostAtOnce);
    if (items.length === 0) return Promise.resolve(true);
    const stream = settings.nextStream();
    const names = items.map(nameOf);
    for (const name of names) here.add(name);
    return new Promise((settle) => {
      debts.set(stream, { names, ...rank, settle });
      const body = { visitId: settings.visitId };
      const url = `/api/${settings.isPreview ? 'media' : 'view'}/leases`;
      settings.drawer.post({ do: 'look', stream, url, body, items });
    });
  };
  return {
    opened,
    isHere: (item) => here.has(nameOf(item)),
    ask: (wanted) => ask(wanted, { isFirst: false }),
    askFirst: (wanted) => ask(wanted, { isFirst: true }),
    isHurrying: () => [...debts.values()].some(({ isFirst }) => isFirst),
    giveWay,
    receive(report) {
      if ('picture' in report) receivePicture(report.did, report.picture);
      else if ('stream' in report) receiveStream(report);
    },
    forget() {
      for (const stream of [...debts.keys()]) close(stream, false);
      here.clear();
      failures.clear();
    },
  };
}

type PictureListener = (did: 'first' | 'all' | 'failed' | 'dropped', picture: string) => void;

/** A picture that did not come to anything is asked for again, but not for ever. */
function createPictureListener(
  here: Set<string>,
  failures: Map<string, number>,
  onMissed: PictureRequestsSettings['onMissed'],
): PictureListener {
  return (did, picture) => {
    if (did === 'dropped') here.delete(picture);
    if (did === 'all') failures.delete(picture);
    if (did !== 'failed') return;
    const count = (failures.get(picture) ?? 0) + 1;
    failures.set(picture, count);
    if (count < mostTries) here.delete(picture);
    if (count < mostTries) onMissed(retryMs);
  };
}

/** The server says no: it is busy, or access has ended. */
function receiveRefusal(
  { onMissed, onRefused }: PictureRequestsSettings,
  { status, refusal }: { status: number; refusal: unknown },
): void {
  if (status === 429 || status >= 500) onMissed(waitOf(refusal));
  else onRefused(refusal);
}

/** Returns how long a busy server asks to wait. */
function waitOf(said: unknown): number {
  const seconds = (said as { data?: { retryAfter?: number } } | undefined)?.data?.retryAfter;
  return seconds === undefined ? retryMs : Math.max(retryMs, 1000 * seconds);
}
