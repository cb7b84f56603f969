import type { TierParams, TipForm } from '../creators/page-sale.ts';

/* The script of a creator's page: it wakes the buttons, and what they open comes with the first tap. */

for (const place of document.querySelectorAll<HTMLElement>('[data-tip], [data-tier]')) {
  const button = place.querySelector('button');
  if (button === null) continue;
  place.replaceChildren(button); // what stood there says that a script is needed
  button.hidden = false;
  button.addEventListener('click', () => void answer(place, button));
}

async function answer(place: HTMLElement, button: HTMLButtonElement): Promise<void> {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  const { tip, tier } = place.dataset;
  try {
    if (tip !== undefined) (await import('./tip-form.ts')).showTipForm(place, JSON.parse(tip) as TipForm);
    else if (tier !== undefined)
      (await import('./subscribing.ts')).subscribe(place, button, JSON.parse(tier) as TierParams);
  } catch {
    button.setAttribute('aria-busy', 'false'); // it did not come: the next tap asks again
  }
}
