/*
 * Stands in for https://js.stripe.com/<version>/stripe.js. It does what the real one does as far as Stripe has published it: adds
 * scripts by their address, writes HTML, frames pages of its hosts, talks with them by messages and opens a wallet's window.
 */

{
  const frameLook = 'border: 0px !important; margin: 0px !important; width: 1px !important; min-width: 100% !important';

  const addScript = (address) =>
    new Promise((added, fail) => {
      const script = document.createElement('script');
      script.src = address;
      script.onload = added;
      script.onerror = () => fail(new Error(`${address} was not loaded`));
      document.head.append(script);
    });

  const ask = (address) => fetch(address, { method: 'POST', body: new URLSearchParams({ key: 'pk' }) });

  /** A frame of the checkout, in a box that is written as HTML, and beside it one that nobody sees, which is HTML itself. */
  function mount(place) {
    place.innerHTML =
      '<div class="__PrivateStripeElement" style="margin: 0px !important; display: block !important"></div>';
    const box = place.firstElementChild;
    const frame = document.createElement('iframe');
    frame.name = '__privateStripeFrame1';
    frame.title = 'Secure payment input frame';
    frame.allow = 'payment *; publickey-credentials-get *';
    frame.style.cssText = frameLook;
    frame.src = 'https://checkout.stripe.com/c/embedded';
    box.append(frame);
    box.insertAdjacentHTML(
      'beforeend',
      `<iframe name="__privateStripeController1" title="Controller" aria-hidden="true" tabindex="-1" allow="payment *" src="https://js.stripe.com/v3/controller.html" style="${frameLook}"></iframe>`,
    );
    return frame;
  }

  /** The bank's page is framed by the page itself. */
  function challenge() {
    const frame = document.createElement('iframe');
    frame.title = '3D Secure';
    frame.src = 'https://hooks.stripe.com/3d_secure_2/authenticate';
    document.body.append(frame);
  }

  /** A wallet's window that the page opens itself. @returns whether it has answered; one that is closed never will */
  function openWallet() {
    const wallet = window.open('https://pay.google.com/window', 'wallet', 'popup');
    return new Promise((end) => {
      window.addEventListener('message', ({ origin }) => origin === 'https://pay.google.com' && end(true));
      setInterval(() => (wallet === null || wallet.closed) && end(false), 50);
    });
  }

  function listen(frame) {
    const hear = ({ origin, source, data }) => {
      if (origin !== 'https://checkout.stripe.com' || source !== frame.contentWindow) return;
      if (data.kind === 'height') frame.style.height = `${data.height}px`;
      if (data.kind === 'challenge') challenge();
      if (data.kind === 'window')
        void openWallet().then((isKnown) => source.postMessage({ kind: 'window', isKnown }, origin));
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }

  async function createEmbeddedCheckoutPage({ clientSecret, fetchClientSecret }) {
    const secret = clientSecret ?? (await fetchClientSecret());
    const [session] = secret.split('_secret_');
    await addScript('https://js.stripe.com/endive/part.js');
    await addScript('https://b.js.stripe.com/endive/part.js');
    await ask(`https://api.stripe.com/v1/payment_pages/${session}/init`);
    await ask('https://checkout.stripe.com/api/locale');
    new Image().src = 'https://q.stripe.com/pixel';
    let end = () => undefined;
    const unmount = () => end();
    return {
      mount(target) {
        const place = typeof target === 'string' ? document.querySelector(target) : target;
        const deafen = listen(mount(place));
        end = () => {
          deafen();
          place.replaceChildren();
        };
      },
      unmount,
      destroy: unmount,
    };
  }

  function openStripe(key) {
    if (!/^pk_/.test(key)) throw new Error('Please call Stripe() with your publishable key.');
    return { createEmbeddedCheckoutPage, registerAppInfo: () => undefined, _registerWrapper: () => undefined };
  }
  openStripe.version = 'endive';
  window.Stripe = openStripe;
}
