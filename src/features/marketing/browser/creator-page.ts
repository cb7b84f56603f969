import type { TipForm } from '../page-sale.ts';

/* The script of a creator's page: it wakes the buttons, and what they open comes with the first tap. */

const place = document.querySelector<HTMLElement>('[data-tip]');
const door = place?.querySelector('button');

if (place && door) {
  place.replaceChildren(door); // what stood there says that a script is needed
  door.hidden = false;
  door.addEventListener('click', () => void openForm(place, door));
}

async function openForm(around: HTMLElement, button: HTMLButtonElement): Promise<void> {
  if (button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  try {
    const { showTipForm } = await import('./tip-form.ts');
    showTipForm(around, JSON.parse(around.dataset.tip ?? '') as TipForm);
  } catch {
    button.ariaBusy = 'false'; // it did not come: the next tap asks again
  }
}
