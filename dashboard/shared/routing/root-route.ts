import { createRootRoute, Outlet } from '@tanstack/react-router'
import { NotFoundAlone } from '../pages/page-alone.tsx'

/** Loads nothing: pages below it may be open without a sign-in. */
export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundAlone })
