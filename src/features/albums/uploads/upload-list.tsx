import { mediaContract } from '#features/media/contract.ts';
import { type PageLimits, usualLimits } from '#features/settings/page-limits.ts';
import { isolate } from '#kit/text.ts';
import { callsOf } from '#wire/client.ts';
import { previewOf } from './device-preview.tsx';
import { type FileMark, isSameFile, markOf, textOf } from './file-fingerprint.tsx';
import { findKeptFiles, forgetFile, keepFile, type PickedFile } from './kept-files.tsx';
import { addressOf, findAsking, giveUp, type LostUpload } from './lost-uploads.tsx';
import { openSending, type Sending } from './open-sending.tsx';
import { ScreenLock } from './screen-lock.tsx';
import {
  blockedFailure,
  emptyFile,
  type Failure,
  isBusy,
  measureSpeed,
  type Sent,
  type UploadEntry,
} from './upload-rules.ts';

const media = callsOf('media', mediaContract);
const stallMs = 20_000;
/** What is whole has to be looked at and encrypted before it is answered. */
const finishMs = 120_000;

interface Held extends UploadEntry {
  file?: File;
  sending?: Sending | undefined;
  mark?: FileMark | undefined;
  /** It was begun by a page that is gone. */
  lost?: LostUpload;
  samples: Sent[];
  lastProgressAt: number;
  mayDouble: boolean;
}

/** The uploads of this page: one list for all albums, so that looking around does not end them. */
class UploadList {
  #held = new Map<string, Held>();
  #shown: readonly UploadEntry[] = [];
  #listeners = new Set<() => void>();
  #screen = new ScreenLock();
  #restored = new Set<string>();
  #previews = new Map<string, string>();
  /** As the server allows; told by the page that adds files. */
  limits: Pick<PageLimits, 'parallelUploads' | 'chunkBytes'> = usualLimits;
  /** Called when a file has become part of its album; resolves once the album shows it. */
  onArrived: (albumId: string) => Promise<void> = async () => undefined;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly entries = (): readonly UploadEntry[] => this.#shown;

  /** Puts files into the list and begins to send. @param before what the album holds by now */
  add(albumId: string, files: readonly File[], before: ReadonlySet<string>): void {
    for (const file of files) {
      const key = crypto.randomUUID();
      if (file.size > 0) void keepFile({ key, albumId, file });
      this.#take({ key, albumId, file }, before);
      if (file.size === 0) this.#change(key, { state: 'failed', reason: emptyFile, isFinal: true });
    }
    this.#go();
  }

  /** Brings back what a reload interrupted; called once for each album that is opened. */
  async restore(albumId: string, before: ReadonlySet<string>): Promise<void> {
    if (this.#restored.has(albumId)) return;
    this.#restored.add(albumId);
    const left = (await findKeptFiles(albumId)).filter(({ key }) => !this.#held.has(key));
    for (const { key, file } of left) if (file) this.#take({ key, albumId, file }, before);
    this.#go();
    for (const asking of await findAsking(albumId, left, this.#shown))
      this.#held.set(asking.key, { ...asking, before, samples: [], lastProgressAt: 0, mayDouble: !!asking.lost });
    this.#show();
  }

  /** The file of an upload that asks for it: it goes on where it stopped. */
  async chooseAgain(key: string, file: File): Promise<void> {
    const held = this.#held.get(key);
    if (held === undefined) return;
    const { albumId, name, lost } = held;
    this.#change(key, { reason: 'Reading…' });
    const isSame = await isSameFile(held, lost?.mark ?? textOf(held.mark), file).catch(() => undefined);
    // Taken out of the list while it was read.
    if (!this.#held.has(key)) return;
    if (isSame === undefined)
      return this.#change(key, { reason: `That file can't be read. Choose ${isolate(name)} again.` });
    if (!isSame) return this.#change(key, { reason: `That's a different file. Choose ${isolate(name)} again.` });
    void keepFile({ key, albumId, file });
    this.#change(key, { file, sending: undefined, preview: previewOf(file) });
    this.resume(key);
  }

  /** The device's own thumbnail of a medium that was sent by this page and is not ready yet. */
  readonly previewOf = (mediaId: string): string | undefined => this.#previews.get(mediaId);
  /** Lets the thumbnail go of a medium that has its own. */
  forgetPreview(mediaId: string): void {
    const preview = this.#previews.get(mediaId);
    if (preview === undefined) return;
    this.#previews.delete(mediaId);
    URL.revokeObjectURL(preview);
  }

  pause(key: string): void {
    void this.#held.get(key)?.sending?.upload.abort();
    this.#change(key, { state: 'paused', speed: undefined });
    this.#go();
  }
  /** Goes on after a pause or a failure. */
  resume(key: string): void {
    this.#change(key, { state: 'queued', reason: undefined });
    this.#go();
  }
  /** "Upload anyway" for bytes that are in the account already. */
  uploadAnyway(key: string): void {
    const held = this.#held.get(key);
    if (held) held.mayDouble = true;
    this.resume(key);
  }
  /** Takes a file out of the list; what was sent of it goes as well. */
  remove(key: string): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    const upload = held.sending?.upload;
    if (upload?.url && held.sentBytes < held.sizeBytes) void upload.abort(true).catch(() => undefined);
    else void upload?.abort();
    if (upload === undefined && held.lost) void giveUp(held.lost);
    if (held.preview) URL.revokeObjectURL(held.preview);
    this.#held.delete(key);
    void forgetFile(key);
    this.#show();
    this.#go();
  }

  #take({ key, albumId, file }: PickedFile, before: ReadonlySet<string>): void {
    this.#held.set(key, {
      key,
      albumId,
      file,
      name: file.name,
      sizeBytes: file.size,
      sentBytes: 0,
      state: 'queued',
      preview: previewOf(file),
      before,
      samples: [],
      lastProgressAt: 0,
      mayDouble: false,
    });
    this.#show();
  }

  #change(key: string, change: Partial<Held>): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    Object.assign(held, change);
    this.#show();
  }

  #show(): void {
    this.#shown = [...this.#held.values()].map(
      ({ file: _file, sending: _sending, samples: _samples, lost: _lost, ...entry }) => entry,
    );
    for (const listener of this.#listeners) listener();
    this.#screen.keep(this.#shown.some(({ state }) => isBusy(state)));
  }

  #go(): void {
    const sending = [...this.#held.values()].filter(
      ({ state }) => state === 'checking' || state === 'uploading',
    ).length;
    const waiting = [...this.#held.values()]
      .filter(({ state }) => state === 'queued')
      .slice(0, Math.max(0, this.limits.parallelUploads - sending));
    for (const held of waiting) void this.#send(held);
  }

  async #send(held: Held): Promise<void> {
    const { key, file } = held;
    if (file === undefined) return;
    this.#change(key, { state: 'checking' });
    try {
      held.mark ??= await markOf(file);
    } catch {
      this.#change(key, { state: 'missing', reason: 'This file is no longer on your device.' });
      return this.#go();
    }
    this.#takeOver(held);
    const { mark } = held;
    if (!held.mayDouble && mark.sha256 !== undefined) {
      const same = await media.findSame.call({ sha256: mark.sha256 }).catch(() => undefined);
      if (same?.medium) {
        this.#change(key, { state: 'duplicate', sameAs: same.medium.id });
        return this.#go();
      }
    }
    await this.#awaitTurn(held);
    if (this.#held.get(key)?.state !== 'checking') return;
    this.#change(key, { state: 'uploading', lastProgressAt: performance.now(), samples: [] });
    held.sending ??= this.#open(held, file, mark);
    const { upload } = held.sending;
    const earlier = upload.url ? [] : await upload.findPreviousUploads();
    // Paused or removed while earlier ones were looked for.
    if (this.#held.get(key)?.state !== 'uploading') return;
    if (earlier[0]) upload.resumeFromPreviousUpload(earlier[0]);
    upload.start();
    this.#watch(held);
  }

  /** The same file stands in the list and asks to be chosen again: this is it. */
  #takeOver(held: Held): void {
    const isIt = (one: Held) => one.albumId === held.albumId && one.state === 'missing' && asksFor(one, held);
    const asking = [...this.#held.values()].find(isIt);
    if (asking === undefined) return;
    this.#held.delete(asking.key);
    if (asking.lost) Object.assign(held, { lost: asking.lost, mayDouble: true });
    else void forgetFile(asking.key);
  }

  /** Files are begun in the order they were chosen in: the album keeps it, whichever is whole first. */
  async #awaitTurn(held: Held): Promise<void> {
    const isBefore = ({ albumId, state, sending }: Held) =>
      albumId === held.albumId && (state === 'checking' || (state === 'uploading' && !sending?.upload.url));
    const earlier = () => [...this.#held.values()].slice(0, [...this.#held.keys()].indexOf(held.key));
    while (held.state === 'checking' && earlier().some(isBefore)) await new Promise((go) => setTimeout(go, 20));
  }

  #open(held: Held, file: File, mark: FileMark): Sending {
    const { key, albumId, lost } = held;
    return openSending(
      { file, albumId, mark, chunkBytes: this.limits.chunkBytes, address: lost && addressOf(lost) },
      {
        onSent: (sentBytes) => {
          const atMs = performance.now();
          held.samples = [...held.samples, { atMs, sentBytes }].slice(-50);
          this.#change(key, { sentBytes, speed: measureSpeed(held.samples), lastProgressAt: atMs });
          if (sentBytes === held.sizeBytes) this.#change(key, { state: 'finishing' });
        },
        onStopped: (sentBytes) => this.#change(key, { ...begunAnew(), sentBytes }),
        onFailed: (why) => this.#fail(key, why),
        onArrived: () => void this.#arrived(held),
      },
    );
  }

  #fail(key: string, why: Failure): void {
    this.#change(key, { state: 'failed', ...why, speed: undefined });
    this.#go();
  }

  /** No progress for a while: the connection is dead though nobody said so. It is opened again, and another way is tried. */
  #watch(held: Held): void {
    const timer = setInterval(() => {
      const { state, key, sending, lastProgressAt } = held;
      if ((state !== 'uploading' && state !== 'finishing') || sending === undefined) return clearInterval(timer);
      if (performance.now() - lastProgressAt < (state === 'finishing' ? finishMs : stallMs)) return;
      held.lastProgressAt = performance.now();
      const isWorthIt = sending.stop();
      void sending.upload.abort().then(() => (isWorthIt ? sending.upload.start() : this.#fail(key, blockedFailure)));
    }, 2000);
  }

  /** The bytes are here: as soon as the album has the medium, its own tile tells the rest. */
  async #arrived(held: Held): Promise<void> {
    const { key, albumId } = held;
    void forgetFile(key);
    this.#change(key, { state: 'processing', sentBytes: held.sizeBytes, speed: undefined });
    this.#go();
    const uploadId = held.sending?.upload.url?.split('/').at(-1);
    let waitMs = 300;
    while (uploadId !== undefined && this.#held.get(key)?.state === 'processing') {
      const outcome = await media.byUpload.call({ uploadId }).catch(() => undefined);
      if (outcome?.mediaId) {
        if (held.preview) this.#previews.set(outcome.mediaId, held.preview);
        this.#change(key, { mediaId: outcome.mediaId });
        await this.onArrived(albumId);
        held.preview = undefined; // the medium's from now on
        return this.remove(key);
      }
      if (outcome?.state === 'failed' || outcome?.state === 'expired')
        this.#change(key, { state: 'failed', reason: outcome.failText ?? undefined });
      else await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 1.4, 4000);
    }
    await this.onArrived(albumId);
  }
}

/** A part that is sent again tells no speed yet. */
const begunAnew = () =>
  ({ state: 'uploading', speed: undefined, samples: [], lastProgressAt: performance.now() }) satisfies Partial<Held>;

/** The list of this page. */
export const uploads = new UploadList();

/** Returns whether an upload that asks for its file asks for this one. */
const asksFor = ({ lost, name, sizeBytes }: Held, { mark, ...held }: Held): boolean =>
  lost ? lost.mark !== undefined && lost.mark === textOf(mark) : held.name === name && held.sizeBytes === sizeBytes;
