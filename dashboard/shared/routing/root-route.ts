import { createRootRoute, Outlet } from '@tanstack/react-router'
import { FramelessNotFound } from '../pages/frameless-page.tsx'

/** Loads no data: some pages need no sign-in. */
export const root = createRootRoute({ component: Outlet, notFoundComponent: FramelessNotFound })
