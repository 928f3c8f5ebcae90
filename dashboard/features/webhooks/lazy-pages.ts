// The pages that the settings and the portal share.
import { lazyRouteComponent } from '@tanstack/react-router'

export const endpointsPage = lazyRouteComponent(() => import('./endpoints-page.tsx'), 'EndpointsPage')
export const endpointPage = lazyRouteComponent(() => import('./endpoint-page.tsx'), 'EndpointPage')
export const cataloguePage = lazyRouteComponent(() => import('./catalogue-page.tsx'), 'CataloguePage')
