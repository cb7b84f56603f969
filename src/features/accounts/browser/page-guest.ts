/** Somebody else's program on a page of ours: what it may turn into a script or into HTML, beside what anybody may. */
export interface PageGuest {
  mayAddScript(address: string): boolean;
  mayWrite(html: string): boolean;
}

let guest: PageGuest | undefined;

/** Lets one in, until the page is left. The rules of the page ask for it (`app/pages/no-text-as-code.tsx`). */
export function admit(one: PageGuest): void {
  guest = one;
}

export const guestOfPage = (): PageGuest | undefined => guest;
