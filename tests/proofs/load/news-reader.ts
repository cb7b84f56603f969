import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, headersOf } from '#tests/support/test-app.ts';

/** One event as a stream told it. */
export interface News {
  kind: string;
  [id: string]: string;
}

/** A browser's own line for events: remembers the last id, waits as long as it was told, and comes back. */
export class NewsReader {
  readonly received: News[] = [];
  /** When it came back, by the monotonic clock. */
  readonly returns: number[] = [];
  status = 0;
  /** The server has ended the line or refused it, or it was never there. */
  isOpen = false;
  readonly #url: () => string;
  readonly #browser: Browser;
  readonly #onNews: (news: News) => void;
  #lastId: string | undefined;
  #retryMs = 3000;
  #cut = new AbortController();
  #isClosed = false;

  constructor(url: () => string, browser: Browser, onNews: (news: News) => void = () => undefined) {
    this.#url = url;
    this.#browser = browser;
    this.#onNews = onNews;
  }

  /** Opens the line; resolves when its head is here. */
  async open(): Promise<void> {
    this.#cut = new AbortController();
    const last: Record<string, string> = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId };
    const headers = { ...headersOf(this.#browser), ...last } as Record<string, string>;
    const answer = await fetch(this.#url(), { headers, signal: this.#cut.signal });
    this.status = answer.status;
    this.isOpen = answer.status === 200;
    if (this.isOpen) void this.#read(answer);
    else await answer.arrayBuffer();
  }

  /** Loses the line, as in a tunnel. */
  lose(): void {
    this.#cut.abort();
  }

  /** Comes back when the line is lost, as browsers do, until it is refused or closed. */
  async keepOpen(): Promise<void> {
    while (!this.#isClosed) {
      await wait(20);
      if (this.isOpen || this.#isClosed) continue;
      await wait(this.#retryMs);
      if (this.#isClosed) return;
      await this.open().catch(() => undefined);
      if (this.isOpen) this.returns.push(performance.now());
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cut.abort();
  }

  async #read(answer: Response): Promise<void> {
    let text = '';
    try {
      for await (const chunk of answer.body ?? []) {
        text += Buffer.from(chunk).toString();
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
    } catch {
      // The line was lost; what was not whole is not an event.
    }
    this.isOpen = false;
  }

  #take(block: string): void {
    for (const line of block.split('\n')) {
      const [, field, value = ''] = /^(id|data|retry): (.*)$/.exec(line) ?? [];
      if (field === 'id') this.#lastId = value;
      if (field === 'retry') this.#retryMs = Number(value);
      if (field !== 'data') continue;
      const news = JSON.parse(value) as News;
      this.received.push(news);
      this.#onNews(news);
    }
  }
}
