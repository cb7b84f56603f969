import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Every page of the product. The catch-all must stay: without a matching route the shell cannot hydrate. */
export default [
  index('home-page.tsx'),
  layout('visitor-page.tsx', [
    route('/auth', '../features/accounts/auth-page.tsx'),
    route('/signup', '../features/accounts/signup-page.tsx'),
    route('/privacy-policy', '../features/marketing/privacy-page.tsx'),
    route('/terms-of-use', '../features/marketing/terms-page.tsx'),
    route('/acceptable-use', '../features/marketing/content-policy-page.tsx'),
    route('*', 'not-found-page.tsx'),
  ]),
  layout('public-page.tsx', [route('/pricing', '../features/marketing/pricing-page.tsx')]),
  route('/account/setup', '../features/accounts/setup-page.tsx'),
  layout('studio-page.tsx', [
    route('/albums', '../features/albums/albums-page.tsx'),
    route('/albums/:albumId', '../features/links/album-page.tsx', [
      index('../features/albums/album-items-page.tsx'),
      route('links', '../features/links/album-links-page.tsx'),
      route('settings', '../features/albums/album-settings-page.tsx'),
      route('leaks', '../features/tracing/leaks-page.tsx'),
      route('leaks/:traceId', '../features/tracing/leak-page.tsx'),
    ]),
    route('/magic-links', '../features/links/links-page.tsx'),
    route('/magic-links/:linkId', '../features/links/link-page.tsx', [
      index('../features/insights/link-visits-page.tsx'),
    ]),
    route('/analytics', '../features/insights/analytics-page.tsx'),
    route('/profile', '../features/accounts/profile-page.tsx', [
      index('../features/accounts/profile-details-page.tsx'),
      route('security', '../features/accounts/security-page.tsx', [
        index('../features/links/lock-everything-page.tsx'),
      ]),
    ]),
  ]),
  route('/dev/ui', 'dev-ui-page.tsx'),
] satisfies RouteConfig;
