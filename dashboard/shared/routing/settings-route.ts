import { createRoute } from '@tanstack/react-router'
import { organization } from './organization-route.ts'

/** What every page of the settings lies in: their frame is the app's (app/router.ts). */
export const settings = createRoute({ getParentRoute: () => organization, path: '/settings' })
