const states = {
  asked: {
    title: 'Stop these emails?',
    text: 'You will get no more notices by email at this address. Sign-in codes, password emails and receipts still come.',
    action:
      '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="min-h-12 rounded-control bg-plum px-5 font-strong text-on-plum hover:bg-plum-deep">Unsubscribe</button></form>',
  },
  done: {
    title: "You're unsubscribed",
    text: 'No more notices will be sent to this address. To turn them on again, sign in and open Profile → Notifications.',
    action: '',
  },
  unknown: {
    title: 'This link is incomplete',
    text: 'Open the whole link from the email, or sign in and open Profile → Notifications.',
    action: '',
  },
} as const;

/** The page behind the unsubscribe link of an email. It says nothing of whose address it is. */
export const writeUnsubscribePage = (state: keyof typeof states, pageHead: string): string => {
  const { title, text, action } = states[state];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · PrivateFans</title>
${pageHead}
</head>
<body>
<main id="main" class="mx-auto grid min-h-dvh w-full max-w-140 place-content-center justify-items-center gap-4 px-5 py-12 text-center">
<a href="/" class="flex min-h-11 items-center font-display text-17 font-title tracking-tight">Private<span class="text-plum">Fans</span></a>
<h1 class="text-38 text-balance">${title}</h1>
<p class="text-quiet">${text}</p>
${action}
</main>
</body>
</html>
`;
};
