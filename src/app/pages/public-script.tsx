import '#app/pages/watch-errors.tsx';
import '#app/pages/plain-zod.ts';
import '#features/marketing/browser/public-page.ts';

/*
 * The script of the public pages. They come without React, which is loaded for what needs it: the chat when it is asked for, and
 * the support form when it is asked for, and the search of the help page, the other forms and the story of the demo once their
 * page has come.
 */

for (const door of document.querySelectorAll<HTMLButtonElement>('[data-chat]')) {
  door.hidden = false;
  door.addEventListener('click', () => void openChat(door));
}

async function openChat(door: HTMLButtonElement): Promise<void> {
  if (door.getAttribute('aria-busy') === 'true') return;
  door.setAttribute('aria-busy', 'true');
  try {
    const { mountChat } = await import('./public-islands.tsx');
    await mountChat(door);
  } catch {
    door.setAttribute('aria-busy', 'false'); // it did not come: the next tap asks again
  }
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-support]'))
  link.addEventListener('click', (event) => void openSupport(event));

async function openSupport(event: MouseEvent): Promise<void> {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await (await import('./public-islands.tsx')).openSupport();
  } catch {
    location.assign('/contact');
  }
}

const contact = document.querySelector<HTMLElement>('[data-contact]');
// Without it the page says how to write.
if (contact) import('./public-islands.tsx').then(({ mountContact }) => mountContact(contact)).catch(() => undefined);

const report = document.querySelector<HTMLElement>('[data-report]');
if (report) import('./public-islands.tsx').then(({ mountReport }) => mountReport(report)).catch(() => undefined);

const demo = document.querySelector<HTMLElement>('[data-demo]');
// Without it the first scene stands, with its words and the way on.
if (demo) import('./play-demo.tsx').then(({ playDemo }) => playDemo(demo)).catch(() => undefined);

const help = document.querySelector<HTMLElement>('[data-help]');
// Without its search the page still lists everything.
if (help) import('./public-islands.tsx').then(({ mountHelp }) => mountHelp(help)).catch(() => undefined);

const application = document.querySelector<HTMLElement>('[data-application]');
// Without its script the page says how to apply.
if (application)
  import('./public-islands.tsx').then(({ mountApplication }) => mountApplication(application)).catch(() => undefined);
