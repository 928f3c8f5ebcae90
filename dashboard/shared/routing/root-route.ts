import { createRootRoute, Outlet } from '@tanstack/react-router'
import { FramelessNotFound } from '../pages/frameless-page.tsx'

/** Loads nothing: pages below it may be open without a sign-in. */
export const root = createRootRoute({ component: Outlet, notFoundComponent: FramelessNotFound })
