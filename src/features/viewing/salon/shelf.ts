import type { DrawReport } from '#features/media/salon/drawer.ts';
import type { Drawer } from '#features/media/salon/open-drawer.ts';
import type { Wanted } from '#features/media/salon/picture-stream.ts';
import type { Lease, Rendition } from '../contract.ts';

/** A picture that could not be drawn twice will not be drawn the third time. */
const mostTries = 3;
export const mostAtOnce = 24;

const nameOf = ({ mediaId, rendition }: Wanted) => `${mediaId}/${rendition}`;

export interface ShelfSettings {
  visitId: string;
  drawer: Drawer;
  nextStream(): number;
  /** What `open` itself sends, and on which stream. */
  leases: readonly Lease[];
  openStream: number;
  onRefused(refusal: unknown): void;
  onBroken(): void;
}

/** Knows which pictures are here or on their way, and asks for the others. */
export interface Shelf {
  isHere(mediaId: string, rendition: Rendition): boolean;
  /** Asks for what is not here yet; settles when all of it came, or nothing more will. */
  ask(mediaIds: readonly string[], rendition: Rendition): Promise<void>;
  hear(report: DrawReport): void;
  /** Everything went blank: each picture has to be asked for again. */
  forget(): void;
}

export function createShelf(settings: ShelfSettings): Shelf {
  const here = new Set<string>(settings.leases.map(nameOf));
  const tries = new Map<string, number>();
  /** What each stream still owes; what it promised in its head has come once it ends. */
  const owed = new Map<number, { names: Set<string>; settle: () => void }>();
  owed.set(settings.openStream, { names: new Set(here), settle: () => undefined });

  const miss = (names: Iterable<string>) => {
    for (const name of names) {
      tries.set(name, (tries.get(name) ?? 0) + 1);
      if ((tries.get(name) ?? 0) < mostTries) here.delete(name);
    }
  };
  const close = (stream: number) => {
    const debt = owed.get(stream);
    owed.delete(stream);
    miss(debt?.names ?? []);
    debt?.settle();
  };
  const hearPicture = (did: 'first' | 'all' | 'failed' | 'dropped', picture: string) => {
    if (did === 'dropped') here.delete(picture);
    if (did === 'failed') miss([picture]);
    if (did !== 'all') return;
    tries.delete(picture);
    for (const { names } of owed.values()) names.delete(picture);
  };
  const hearStream = (report: Exclude<DrawReport, { picture: string } | { did: 'expired' | 'stopped' }>) => {
    const { did, stream } = report;
    if (did === 'head') return;
    if (!owed.has(stream)) return;
    if (did === 'ended') owed.get(stream)?.names.clear();
    close(stream);
    if (did === 'refused') settings.onRefused(report.refusal);
    if (did === 'broken') settings.onBroken();
  };
  return {
    isHere: (mediaId, rendition) => here.has(nameOf({ mediaId, rendition })),
    ask(mediaIds, rendition) {
      const items = mediaIds
        .map((mediaId) => ({ mediaId, rendition }))
        .filter((item) => !here.has(nameOf(item)))
        .slice(0, mostAtOnce);
      if (items.length === 0) return Promise.resolve();
      const stream = settings.nextStream();
      const names = items.map(nameOf);
      for (const name of names) here.add(name);
      return new Promise((settle) => {
        owed.set(stream, { names: new Set(names), settle });
        settings.drawer.tell({
          do: 'look',
          stream,
          url: '/api/view/leases',
          body: { visitId: settings.visitId },
          items,
        });
      });
    },
    hear(report) {
      if ('picture' in report) hearPicture(report.did, report.picture);
      else if ('stream' in report) hearStream(report);
    },
    forget() {
      for (const stream of [...owed.keys()]) close(stream);
      here.clear();
      tries.clear();
    },
  };
}
