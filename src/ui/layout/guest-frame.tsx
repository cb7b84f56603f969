import { Link } from 'react-router';
import type { Elements } from '#kit/elements.ts';
import { Brand } from '#ui/brand.tsx';

/** The frame of pages for whoever has no account: the name, one title, one thing below it. */
export function GuestFrame({ title, text, children }: { title: string; text?: string; children: Elements }) {
  return (
    <div className="mx-auto grid min-h-dvh max-w-140 content-start gap-6 px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-[calc(7rem+env(safe-area-inset-bottom))]">
      <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
        <Brand />
      </Link>
      <main id="main" tabIndex={-1} className="grid gap-6 pt-6 outline-none">
        <header className="grid gap-2">
          <h1 className="text-28 text-balance md:text-38">{title}</h1>
          {text !== undefined && <p className="text-quiet">{text}</p>}
        </header>
        {children}
      </main>
    </div>
  );
}
