import type { Host } from '../contract.ts';

/** Fills a soft circle with the creator's picture, or with the first letter of her name. */
export function showFace(place: HTMLElement, { name, avatar }: Host): void {
  place.textContent = avatar ? '' : name.slice(0, 1).toUpperCase();
  // As a background it is neither dragged nor saved nor printed; base64 has no letter that ends an address.
  place.style.background = avatar ? `center/cover url(data:image/webp;base64,${avatar})` : '';
}
