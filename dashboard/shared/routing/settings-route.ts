import { createRoute } from '@tanstack/react-router'
import { organization } from './organization-route.ts'

/** The parent route of all pages of the settings. Their frame is in the app (app/router.ts). */
export const settings = createRoute({ getParentRoute: () => organization, path: '/settings' })
