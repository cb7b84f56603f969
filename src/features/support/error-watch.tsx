import { useEffect } from 'react';
import { toast } from '#ui/feedback/toast.ts';

/** The way to tell of it is loaded when there is something to tell: every page would have to wait for it. */
export async function reportError(error: unknown, component: string): Promise<boolean> {
  try {
    return await (await import('./report-error.tsx')).reportError(error, component);
  } catch {
    return false; // It did not come: the server is away, and its own log knows better.
  }
}

async function note(error: unknown, component: string): Promise<void> {
  if (await reportError(error, component))
    toast.error({ title: 'Something went wrong', message: "We've alerted our team!" });
}

/** Hears what goes wrong in the pages without anybody having caught it. */
export function ErrorWatch() {
  useEffect(() => {
    const onError = ({ error, message }: ErrorEvent) => void note(error ?? message, 'page');
    const onRejection = ({ reason }: PromiseRejectionEvent) => void note(reason, 'promise');
    window.addEventListener('error', onError);
    window.addEventListener('unhandledrejection', onRejection);
    return () => {
      window.removeEventListener('error', onError);
      window.removeEventListener('unhandledrejection', onRejection);
    };
  }, []);
  return null;
}
