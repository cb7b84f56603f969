import type { Host } from '../../contract.ts';

/** Fills a soft circle with the creator's picture, or with the first letter of their name. */
export function showFace(place: HTMLElement, { name, avatar }: Host): void {
  // As a background it is neither dragged nor saved nor printed; base64 has no letter that ends an address.
  if (avatar) place.style.background = `0/100% url(${avatar})`;
  else place.textContent = name.charAt(0).toUpperCase();
}
