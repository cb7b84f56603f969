import { MessageCircle } from 'lucide-react';
import { drawButton } from '#ui/buttons/button.tsx';

/** Where the button of the chat stands: above the bar on a phone, in the corner on a computer. */
export const chatPlace =
  'fixed right-4 bottom-[calc(5.5rem+env(safe-area-inset-bottom))] z-20 rounded-full shadow-soft md:right-6 md:bottom-6';

/** The button of the chat on a page that has no React of its own; it shows once a script can answer it. */
export function ChatLauncher() {
  return (
    <button type="button" hidden data-chat="" aria-haspopup="dialog" className={drawButton({}, chatPlace)}>
      <MessageCircle />
      Ask Sofia
    </button>
  );
}
