import type { Target } from './targets.ts';

/** A key that is no letter. */
export type Key = 'Enter' | 'Escape' | 'Tab' | 'Space' | 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/** What a page's script returns: it travels as JSON. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };

/** A point of the screen, CSS pixels. */
export interface Spot {
  x: number;
  y: number;
}

/** What an engine's driver can do with one tab. `Handle` is its own word for an element. */
export interface TabDriver<Handle> {
  open(address: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  /** Runs a script that needs no answer. */
  run(script: string): Promise<void>;
  /** Calls a function in the page; what it is given and what it returns travels as JSON. */
  call<A extends Json, T extends Json>(fn: (argument: A) => T | Promise<T>, argument: A): Promise<T>;
  /** The element that a function in the page returns. */
  element<A extends Json>(fn: (argument: A) => Element | undefined, argument: A): Promise<Handle | undefined>;
  tap(element: Handle): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  upload(element: Handle, files: readonly string[]): Promise<void>;
  drag(from: Spot, to: Spot): Promise<void>;
  /** Taps so many times in a row, as fast as it can. */
  tapAt(at: Spot, times: number): Promise<void>;
  /** The screen as PNG. */
  picture(): Promise<Uint8Array>;
  /** Takes steps in the frame of an element. */
  inFrame<T>(element: Handle, steps: (frame: TabDriver<Handle>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** One tab of a browser, in the words of whoever uses it. Each waits for what it needs. */
export interface Tab {
  open(address: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  address(): Promise<string>;
  tap(target: Target): Promise<void>;
  /** Replaces what stands in a field. */
  type(target: Target, text: string): Promise<void>;
  press(key: Key): Promise<void>;
  see(target: Target, seconds?: number): Promise<void>;
  /** Waits until it is not to be seen. */
  seeNo(target: Target, seconds?: number): Promise<void>;
  /** The words of the first one. */
  read(target: Target): Promise<string>;
  upload(target: Target, ...files: string[]): Promise<void>;
  /** Moves what is under a finger, or under a mouse where an engine has no fingers. */
  drag(from: Spot, to: Spot): Promise<void>;
  tapTwice(at: Spot): Promise<void>;
  /** Gives the first one the focus. */
  focus(target: Target): Promise<void>;
  /** Chooses an entry of a list that the system draws itself. */
  choose(target: Target, entry: string): Promise<void>;
  /** The middle of the first one, and how wide it is. */
  middleOf(target: Target): Promise<Spot & { width: number }>;
  evaluate<T extends Json, A extends Json = null>(fn: (argument: A) => T | Promise<T>, argument?: A): Promise<T>;
  /** Waits until a function in the page returns true. */
  waitFor<A extends Json = null>(
    what: string,
    fn: (argument: A) => boolean,
    argument?: A,
    seconds?: number,
  ): Promise<void>;
  inFrame<T>(target: Target, steps: (frame: Tab) => Promise<T>): Promise<T>;
  /** Returns whether the screen has one colour where something is said to stand. */
  isBlank(target: Target): Promise<boolean>;
  /** Keeps the screen as `test-results/browsers/<engine>/<name>.png`; within `npm test` only that of a story that has failed. */
  picture(name: string, options?: { hasFailed?: boolean }): Promise<void>;
  close(): Promise<void>;
}
