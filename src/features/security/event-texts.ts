import { nameLink } from '#features/links/link-texts.ts';
import { isolate } from '#kit/text.ts';
import type { ClientEventType, EventAction, Risk, RiskFilter, SecurityEvent, ServerEventType } from './contract.ts';

/** What happened, as far as anybody can know: a page hears that keys were pressed, never that a copy was made. */
const words: Readonly<Record<ClientEventType | ServerEventType, string>> = {
  screenshot_attempt: 'A screenshot shortcut was pressed',
  devtools_attempt: 'A shortcut for developer tools was pressed',
  save_attempt: 'The shortcut to save was pressed',
  copy_attempt: 'The shortcut to copy was pressed',
  context_menu_attempt: 'The menu over a picture was asked for',
  view_source_attempt: "The shortcut for the page's source was pressed",
  select_all_attempt: 'The shortcut to select all was pressed',
  tab_switch_attempt: 'Another tab was opened',
  drag_attempt: 'A picture was dragged',
  text_selection_attempt: 'Text was selected',
  clipboard_attempt: 'The clipboard was used',
  focus_change: 'The window lost focus',
  window_resize: 'The window was resized',
  tab_return: 'The tab was shown again',
  key_rate_exceeded: 'Pictures were asked for faster than anybody looks',
  automation_suspected: 'Opened by a program that drives a browser',
  leak_traced: 'A leaked copy was traced to this link',
  link_forwarded: 'Somebody else tried a link for one person',
  password_bruteforce: 'Many wrong passwords were tried',
  email_not_allowed: 'An email address that is not on the list was tried',
  denied_geo: 'Opened from a country that is not allowed',
  concurrent_screens: 'Opened on more screens than allowed',
  revoked_link_opened: 'A revoked link was opened',
};

/** What an event is called. */
export const nameEvent = ({ eventType }: Pick<SecurityEvent, 'eventType'>): string =>
  (words as Readonly<Record<string, string | undefined>>)[eventType] ?? 'Something unusual was noticed';

export const riskNames: Readonly<Record<RiskFilter, string>> = {
  all: 'All',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

export const riskTones: Readonly<Record<Risk, 'rust' | 'ember' | 'plain'>> = {
  high: 'rust',
  medium: 'ember',
  low: 'plain',
};

const sourceWords: Readonly<Record<SecurityEvent['source'], string>> = {
  client: 'reported by browser',
  server: 'seen by us',
};

/** Where, who, on what and how it is known: "Lena · Viewer 4F2A · iPhone 390x844 · reported by browser". */
export function describeEvent(event: SecurityEvent, isOfOneLink: boolean): string {
  const { link, viewer, device, source, isRest } = event;
  const parts = [
    isOfOneLink ? undefined : nameLink(link),
    viewer === null ? undefined : isolate(viewer.name),
    [device.platform, device.screen].filter((part) => part !== null).join(' ') || undefined,
    sourceWords[source],
    isRest ? 'too many to list one by one' : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

const byCreator: Readonly<Record<EventAction, string>> = {
  warned: 'Viewer warned',
  closed: 'Screens closed',
  revoked: 'Link revoked',
  blocked: 'Viewer blocked',
  ignored: 'Ignored',
};
const byRule: Readonly<Partial<Record<EventAction, string>>> = {
  warned: "Viewer warned by the link's rule",
  closed: "Closed to this viewer by the link's rule",
  revoked: 'Link revoked by its rule',
};

/** What was done about it: "Link revoked by its rule · undone". */
export function describeAction({ action }: Pick<SecurityEvent, 'action'>): string | undefined {
  if (action === null) return undefined;
  const done = (action.isAutomatic ? byRule[action.kind] : undefined) ?? byCreator[action.kind];
  return action.isUndone ? `${done} · undone` : done;
}
