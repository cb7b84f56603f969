import { consentCookie } from '#features/accounts/visitor.ts';
import { callMarketing } from './call-marketing.ts';

const halfYearSeconds = 15_552_000;

/** Keeps what a visitor has answered; the next page is sent by what it says. */
export function keepAnswer(answer: string, seconds = halfYearSeconds): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: browsers without the other way ask too
  document.cookie = `${consentCookie}=${answer}; Max-Age=${seconds}; Path=/; SameSite=Lax${secure}`;
}

/** Forgets the answer and everything that was noted under it, and asks again. */
export async function takeConsentBack(): Promise<void> {
  keepAnswer('', 0);
  // Where it fails nothing more is noted all the same: that needs the answer.
  await callMarketing('forgetVisits', {}).catch(() => undefined);
  location.reload();
}
