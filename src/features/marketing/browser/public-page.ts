import { consentCookie, readConsent } from '../measuring.ts';
import { wakeVideo } from './demo-video.ts';

/*
 * What moves in the public pages, which have no other script: the demo video, and the question about measuring.
 */

const halfYearSeconds = 15_552_000;

for (const facade of document.querySelectorAll<HTMLElement>('[data-demo-video]'))
  wakeVideo(facade, readConsent(document.cookie) === 'yes');

for (const question of document.querySelectorAll<HTMLElement>('[data-consent]')) {
  question.hidden = false;
  question.addEventListener('click', ({ target }) => {
    const answer = target instanceof Element ? target.closest<HTMLElement>('[data-answer]')?.dataset.answer : undefined;
    if (answer === undefined) return;
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the next page is sent by what it says
    document.cookie = `${consentCookie}=${answer}; Max-Age=${halfYearSeconds}; Path=/; SameSite=Lax${secure}`;
    question.hidden = true;
  });
}
