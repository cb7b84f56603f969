import { useEffect, useRef, useState } from 'react';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { failed, loadStripe, type Mounted } from './stripe-script.tsx';

interface PaymentFrameProps {
  publishableKey: string;
  /** The provider's script; without one the frame is a page of ours. */
  scriptUrl: string | undefined;
  clientSecret: string;
}

/** The provider's frame, in which somebody pays. When it is done, it leads on by itself. */
export function PaymentFrame({ scriptUrl, ...rest }: PaymentFrameProps) {
  return scriptUrl === undefined ? <OwnFrame {...rest} /> : <ProvidersFrame scriptUrl={scriptUrl} {...rest} />;
}

/** Said while the frame is on its way. */
export function Preparing() {
  return (
    <p role="status" className="grid min-h-60 place-content-center justify-items-center gap-3 text-quiet">
      <Spinner className="size-6" />
      Preparing secure checkout…
    </p>
  );
}

export function PaymentTrouble({ children }: { children: string }) {
  return (
    <p role="alert" className="font-medium text-rust">
      {children}
    </p>
  );
}

/** The built-in provider's page. It tells when it is done; nobody else is listened to. */
function OwnFrame({ clientSecret }: Pick<PaymentFrameProps, 'clientSecret'>) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [sessionId = ''] = clientSecret.split('_secret_');
  useEffect(() => {
    const onMessage = ({ origin, source, data }: MessageEvent) => {
      const isOurs = origin === window.location.origin && source === frame.current?.contentWindow;
      if (!isOurs || data?.kind !== 'checkout.complete') return;
      const url = new URL(String(data.url), window.location.origin);
      if (url.origin === window.location.origin) window.location.assign(url);
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);
  return (
    <div className="grid [&>*]:col-start-1 [&>*]:row-start-1">
      {!isReady && <Preparing />}
      <iframe
        ref={frame}
        title="Secure checkout"
        src={`/sandbox/pay/${encodeURIComponent(sessionId)}`}
        onLoad={() => setReady(true)}
        className="h-140 max-h-[70dvh] w-full rounded-control border-0"
      />
    </div>
  );
}

function ProvidersFrame({ scriptUrl, publishableKey, clientSecret }: PaymentFrameProps & { scriptUrl: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [trouble, setTrouble] = useState<string>();
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    let isGone = false;
    let mounted: Mounted | undefined;
    const open = async () => {
      const page = await (await loadStripe(scriptUrl))(publishableKey).createEmbeddedCheckoutPage({ clientSecret });
      if (isGone) return page.destroy();
      mounted = page;
      if (place.current !== null) page.mount(place.current);
      setReady(true);
    };
    open().catch((error: unknown) =>
      setTrouble(error instanceof Error && error.message !== '' ? error.message : failed),
    );
    return () => {
      isGone = true;
      mounted?.destroy();
    };
  }, [scriptUrl, publishableKey, clientSecret]);
  if (trouble !== undefined) return <PaymentTrouble>{trouble}</PaymentTrouble>;
  return (
    <>
      {!isReady && <Preparing />}
      <div ref={place} />
    </>
  );
}
