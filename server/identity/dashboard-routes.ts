// Who is signed in: routes of the dashboard at the level of the session.
import { Session } from '../../contract/session.ts'
import type { App } from '../http/request.ts'
import { selectOrganizationsOf } from './store.ts'

/** Routes that need a session, but no organization. */
export function sessionRoutes(app: App): void {
  app.get('/session', { schema: { response: { 200: Session } } }, async ({ ctx, signedIn }) => ({
    user: signedIn.user,
    organizations: await selectOrganizationsOf(ctx.db, signedIn.user.id),
  }))
}
