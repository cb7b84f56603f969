import type { TierParams } from '../creators/page-sale.ts';
import { makeElement } from './make-element.ts';
import { payOnPage } from './pay-on-page.ts';

/** Goes where a tier is paid for, or says below its button why not. */
export function subscribe(place: HTMLElement, button: HTMLButtonElement, params: TierParams): void {
  const wake = () => {
    button.setAttribute('aria-busy', 'false');
  };
  const fault =
    place.querySelector('p') ?? makeElement('p', { role: 'alert', className: 'mt-2 text-13 text-rust empty:hidden' });
  fault.textContent = '';
  place.append(fault);
  const shownTerms = document.querySelector('[data-terms]')?.textContent;
  void payOnPage('subscribe', { ...params, shownTerms }, wake).then((said) => {
    if (said === undefined) return; // it stays busy until the other page has come
    wake();
    fault.textContent = said;
  });
}
