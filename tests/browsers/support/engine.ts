import type { EngineName } from './engine-names.ts';
import type { Tab } from './tab.ts';

/** How large a browser's window is: 390 × 844 or 1280 × 800. */
export type Look = 'phone' | 'desk';

/** What is not the same in every browser. */
export interface Habits {
  /** It keeps no cookies. */
  blocksCookies?: boolean;
  /** A script that takes away what an older browser does not have, before a page's own scripts run. */
  without?: string;
}

export interface Cookie {
  name: string;
  value: string;
  /** Of the site that it belongs to. */
  url: string;
}

/** A browser that shares nothing with the others of its engine. */
export interface Device {
  openTab(): Promise<Tab>;
  /** Puts a session into it that began elsewhere. */
  carry(cookies: readonly Cookie[]): Promise<void>;
  close(): Promise<void>;
}

export interface Engine {
  name: EngineName;
  openDevice(look: Look, habits?: Habits): Promise<Device>;
  close(): Promise<void>;
}
