import { administrationRoutes } from './administrationRoutes';
import { clinicalRoutes } from './clinicalRoutes';
import { dailyRoutes } from './dailyRoutes';

/**
 * The endpoint table: address, request and answer of every call, read by the server (validation, OpenAPI) and by the
 * browser's client. An `:id` in a path is filled from `params`. `status` is that of success. No schema of an answer
 * counts the rows of its lists, because the browser parses long ones in parts (parseAnswer).
 *
 * In parts, because the browser's client fetches those that a page needs.
 */
export const routes = { ...dailyRoutes, ...clinicalRoutes, ...administrationRoutes } as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
