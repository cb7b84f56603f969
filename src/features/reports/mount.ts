export { mountGlass as mountReports } from './glass/glass-routes.ts';
