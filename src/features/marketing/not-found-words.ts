/** Spec §2: what any address says that is no page, also where it could have been somebody's. */
export const notFound = {
  title: 'Page not found · PrivateFans',
  headline: 'Oops! Page not found',
  text: 'The address may have changed, or the page was taken away.',
  way: 'Return to Home',
} as const;
