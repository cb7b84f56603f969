/**
 * Copies a text that may still be on its way: Safari lets a page write only what a tap began, so the promise itself is handed over.
 * @returns false when the browser does not let us
 */
export async function copyLater(text: Promise<string>): Promise<boolean> {
  try {
    if (typeof ClipboardItem === 'undefined') await navigator.clipboard.writeText(await text);
    else {
      const blob = text.then((words) => new Blob([words], { type: 'text/plain' }));
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    }
    return true;
  } catch {
    return false; // Not over plain http, not without permission: the address is shown to be copied by hand.
  }
}
