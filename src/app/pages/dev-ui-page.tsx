import { Gallery } from '#ui/gallery/gallery.tsx';

export function meta() {
  return [{ title: 'Components · PrivateFans' }, { name: 'robots', content: 'noindex' }];
}

/** Every shared component in every state; the server shows it in development and sandboxes only. */
export default function DevUiPage() {
  return <Gallery />;
}
