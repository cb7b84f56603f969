import { canBeMeasured } from '#features/accounts/browser/measurable.ts';
import { readConsent } from '#features/accounts/visitor.ts';
import { keepAnswer, takeConsentBack } from './consent.ts';
import { wakeVideo } from './demo-video.ts';
import { carryCode, noteFollowed } from './partner-link.ts';
import { noteVisit } from './visits.ts';

/*
 * What moves in the public pages, which have no other script: the demo video, and the question about measuring.
 */

const consent = readConsent(document.cookie);
const countsVisits = document.body.dataset.visits !== undefined;
if (countsVisits && consent === 'yes') noteVisit();
noteFollowed();
carryCode();

for (const facade of document.querySelectorAll<HTMLElement>('[data-demo-video]')) wakeVideo(facade, consent === 'yes');

for (const question of document.querySelectorAll<HTMLElement>('[data-consent]')) {
  // Whom nobody would measure need not answer.
  question.hidden = question.dataset.consent === 'wide' && !canBeMeasured();
  question.addEventListener('click', ({ target }) => {
    const answer = target instanceof Element ? target.closest<HTMLElement>('[data-answer]')?.dataset.answer : undefined;
    if (answer === undefined) return;
    keepAnswer(answer);
    question.hidden = true;
    if (countsVisits && answer === 'yes') noteVisit();
    // What a yes allows was not done before.
    if (answer === 'yes') noteFollowed();
  });
}

for (const button of document.querySelectorAll<HTMLElement>('[data-take-back]')) {
  button.hidden = consent === undefined;
  button.addEventListener('click', () => void takeConsentBack());
}
