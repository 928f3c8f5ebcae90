import { createRootRoute, Outlet } from '@tanstack/react-router'
import { NotFoundAlone } from './components/page-alone.tsx'

/** Loads nothing: pages below it need not be of anybody who is signed in. */
export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundAlone })
