import { FormError } from '#ui/forms/use-form.tsx';

/** Returns whether this browser keeps a cookie of this site at all; asked with one that is gone again at once. */
function keepsCookies(): boolean {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: browsers without the other way are those that are asked about
    document.cookie = 'pf_try=1; path=/; SameSite=Lax; max-age=60';
    const isKept = /(^|;\s*)pf_try=1/.test(document.cookie);
    // biome-ignore lint/suspicious/noDocumentCookie: as above
    document.cookie = 'pf_try=; path=/; SameSite=Lax; max-age=0';
    return isKept;
  } catch {
    return false; // a frame that may not have any
  }
}

/** What is said where none are kept. */
export const describeNoCookies = (): FormError =>
  new FormError(
    `Your browser blocks cookies for ${window.location.host}, so you can't sign in. Allow them in your browser's settings, then try again.`,
  );

/** Before anything is sent that a cookie must answer for. @throws what to do, where none are kept */
export function needCookies(): void {
  if (!keepsCookies()) throw describeNoCookies();
}
