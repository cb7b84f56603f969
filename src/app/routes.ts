import { type RouteConfig, route } from '@react-router/dev/routes';

/** Every page of the product, in the spec's order. The catch-all must stay: without a matching route the shell cannot hydrate. */
export default [route('/dev/ui', 'dev-ui-page.tsx'), route('*', 'not-found-page.tsx')] satisfies RouteConfig;
