import { DetailedError, Upload } from 'tus-js-client';
import { mediaContract } from '#features/media/contract.ts';
import { type PageLimits, usualLimits } from '#features/settings/page-limits.ts';
import { callsOf } from '#wire/client.ts';
import { type FileMark, isSameFile, markOf, textOf } from './file-fingerprint.tsx';
import { findKeptFiles, forgetFile, keepFile, type PickedFile } from './kept-files.tsx';
import { addressOf, findAsking, giveUp, type LostUpload } from './lost-uploads.tsx';
import { ScreenLock } from './screen-lock.tsx';
import {
  isBusy,
  isWorthRetry,
  measureSpeed,
  readRefusal,
  retryDelaysMs,
  type Sent,
  type UploadEntry,
} from './upload-rules.ts';

const media = callsOf('media', mediaContract);
const stallMs = 20_000;

interface Held extends UploadEntry {
  file?: File;
  upload?: Upload | undefined;
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
      void keepFile({ key, albumId, file });
      this.#take({ key, albumId, file }, before);
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
    if (isSame === undefined) return this.#change(key, { reason: `That file can't be read. Choose ${name} again.` });
    if (!isSame) return this.#change(key, { reason: `That's a different file. Choose ${name} again.` });
    void keepFile({ key, albumId, file });
    this.#change(key, { file, upload: undefined, preview: previewOf(file) });
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
    void this.#held.get(key)?.upload?.abort();
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
    if (held.upload?.url && held.sentBytes < held.sizeBytes) void held.upload.abort(true).catch(() => undefined);
    else void held.upload?.abort();
    if (held.upload === undefined && held.lost) void giveUp(held.lost);
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
      ({ file: _file, upload: _upload, samples: _samples, lost: _lost, ...entry }) => entry,
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
    held.upload ??= this.#open(held, file, mark);
    const earlier = held.upload.url ? [] : await held.upload.findPreviousUploads();
    // Paused or removed while earlier ones were looked for.
    if (this.#held.get(key)?.state !== 'uploading') return;
    if (earlier[0]) held.upload.resumeFromPreviousUpload(earlier[0]);
    held.upload.start();
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
    const isBefore = ({ albumId, state, upload }: Held) =>
      albumId === held.albumId && (state === 'checking' || (state === 'uploading' && !upload?.url));
    const earlier = () => [...this.#held.values()].slice(0, [...this.#held.keys()].indexOf(held.key));
    while (held.state === 'checking' && earlier().some(isBefore)) await new Promise((go) => setTimeout(go, 20));
  }

  #open(held: Held, file: File, mark: FileMark): Upload {
    const { key, albumId } = held;
    return new Upload(file, {
      endpoint: '/files',
      ...(held.lost && { uploadUrl: addressOf(held.lost) }),
      chunkSize: this.limits.chunkBytes,
      retryDelays: retryDelaysMs,
      removeFingerprintOnSuccess: true,
      fingerprint: async () => `pf-${albumId}-${textOf(mark)}`,
      metadata: { albumId, filename: file.name, filetype: file.type, ...mark },
      onShouldRetry: (error) =>
        isWorthRetry(error instanceof DetailedError ? error.originalResponse?.getStatus() : undefined),
      onProgress: (sentBytes) => {
        const atMs = performance.now();
        held.samples = [...held.samples, { atMs, sentBytes }].slice(-50);
        this.#change(key, { sentBytes, speed: measureSpeed(held.samples), lastProgressAt: atMs });
        if (sentBytes === held.sizeBytes) this.#change(key, { state: 'finishing' });
      },
      onError: (error) => {
        const answer = error instanceof DetailedError ? error.originalResponse : null;
        this.#change(key, {
          state: 'failed',
          ...readRefusal(answer?.getStatus(), answer?.getBody()),
          speed: undefined,
        });
        this.#go();
      },
      onSuccess: () => void this.#arrived(held),
    });
  }

  /** No progress for 20 s: the connection is dead though nobody said so. It is opened anew. */
  #watch(held: Held): void {
    const timer = setInterval(() => {
      if (held.state !== 'uploading') return clearInterval(timer);
      if (performance.now() - held.lastProgressAt < stallMs) return;
      held.lastProgressAt = performance.now();
      void held.upload?.abort().then(() => held.upload?.start());
    }, 2000);
  }

  /** The bytes are here: as soon as the album has the medium, its own tile tells the rest. */
  async #arrived(held: Held): Promise<void> {
    const { key, albumId } = held;
    void forgetFile(key);
    this.#change(key, { state: 'processing', sentBytes: held.sizeBytes, speed: undefined });
    this.#go();
    const uploadId = held.upload?.url?.split('/').at(-1);
    for (
      let waitMs = 300;
      uploadId !== undefined && this.#held.get(key)?.state === 'processing';
      waitMs = Math.min(waitMs * 1.4, 4000)
    ) {
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
    }
    await this.onArrived(albumId);
  }
}

/** The list of this page. */
export const uploads = new UploadList();

/** Whether an upload that asks for its file asks for this one. */
const asksFor = ({ lost, name, sizeBytes }: Held, { mark, ...held }: Held): boolean =>
  lost ? lost.mark !== undefined && lost.mark === textOf(mark) : held.name === name && held.sizeBytes === sizeBytes;

const previewOf = (file: File): string | undefined =>
  /^image\/(jpeg|png|webp|gif|avif)$/.test(file.type) ? URL.createObjectURL(file) : undefined;
