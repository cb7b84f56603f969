/** What every address says that is not a page, even where it could have been somebody's. */
export const notFound = {
  title: 'Page not found · PrivateFans',
  headline: 'Oops! Page not found',
  text: 'The address may have changed, or the page has been removed.',
  way: 'Return to Home',
} as const;
