import { useEffect } from 'react';
import { toast } from '#ui/toast.ts';
import { reportError } from './report-error.tsx';

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
