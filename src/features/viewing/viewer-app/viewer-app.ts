import type { DrawReport } from '#features/media/browser/drawer.ts';
import type { Drawer } from '#features/media/browser/open-drawer.ts';
import type { Opened, OpenRequest, Refusal } from '../contract.ts';
import type { VisitState } from './session/visit-state.ts';

/** What the visitor said at the gates, so far. */
export type Answers = Pick<
  OpenRequest,
  | 'isAdult'
  | 'password'
  | 'resumeCode'
  | 'returnEmail'
  | 'takeOver'
  | 'email'
  | 'emailCode'
  | 'agreed'
  | 'accessRequest'
  | 'withdrawsRequest'
  | 'forgetsReminder'
>;

/** What a tap on Open comes to. `failure` is ready to show: the line broke, or the server is busy. */
export type Outcome = { opened: Opened } | { refusal: Refusal } | { failure: string };

/** What the loader has made by the time the first picture is sharp; the parts that come later take over from here. */
export interface ViewerApp {
  slug: string;
  drawer: Drawer;
  /** Where the frame puts the time left and the menu. */
  tools: HTMLElement;
  /** Where the frame lives: sheets, the open picture. */
  root: HTMLElement;
  /** One for each item, in order. */
  cells: HTMLButtonElement[];
  /** Puts the canvas of an item's thumbnail into its cell, to be drawn as soon as its bytes come. */
  lendCell(n: number): void;
  /** Forgets the canvas of a cell that went out of sight; the drawer was told to free it. */
  dropCell(n: number): void;
  /** Hears what the drawer tells, from its first word on. */
  listen(listener: (report: DrawReport) => void): void;
  /** Returns what plays videos; large, and only for who opens one. */
  loadVideo(): Promise<typeof import('./video/video.tsx')>;
  /** Number of the next stream: the drawer tells them apart by it. */
  nextStream(): number;
  /** Number of the stream on which `open` was answered last. */
  openStream: number;
  /** Ends a stream that is still coming: something else comes first. */
  halt(stream: number): void;
  /** The cell that was tapped last, until its picture opens. */
  picked?: number;
  onPick?: (n: number) => void;
}

/** A visit that is under way: it keeps itself alive, counts what is looked at, and closes when it must. */
export interface Visit {
  opened: Opened;
  state(): VisitState;
  subscribe(listener: () => void): () => void;
  /** Opens a picture, or goes on to it; undefined closes it. */
  turnTo(item: number | undefined): void;
  /** Puts up the canvas of a full picture, to be drawn on. */
  lendFull(n: number, canvas: HTMLCanvasElement): void;
  freeFull(n: number): void;
  /** The same for a video's storyboard, a sheet of 7 by 6 small pictures; it is asked for now. */
  lendSheet(n: number, canvas: HTMLCanvasElement): void;
  freeSheet(n: number): void;
  /** A video plays, which is looking even without a touch; or it does not any more. */
  setPlaying(isPlaying: boolean): void;
  /** A second of a video was played. */
  notePlayed(n: number, second: number): void;
  /** Access has ended while a video asked for more of itself. */
  end(refusal: Refusal): void;
  /** Ends with the visit. */
  until: AbortSignal;
  /** Says something to somebody who tries to copy; undefined puts it away. */
  warn(text: string | undefined): void;
  /** Hears what becomes of the pictures. */
  listen(listener: (report: DrawReport) => void): () => void;
  /** Tries the line again. */
  retry(): void;
}
