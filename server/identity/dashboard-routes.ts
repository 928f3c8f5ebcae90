// Signing up, in and out; the user's own account.
import type { FastifyReply } from 'fastify'
import { entranceRoutes, sessionRoutes } from '../../contract/session.ts'
import { addRoute } from '../http/add-route.ts'
import { clientOf } from '../http/client.ts'
import type { App } from '../http/request.ts'
import type { Sessions } from '../http/session.ts'
import {
  addOrganization,
  changePassword,
  describeSession,
  forgetPassword,
  resetPassword,
  signIn,
  signOut,
  signUp,
} from './accounts.ts'
import { confirmEmail, sendVerification } from './email-verification.ts'
import { announceUser } from './members/member-changes.ts'
import { endSession, patchProfile } from './service.ts'
import { deleteOtherSessions, selectDevices } from './store.ts'

const done = { done: true as const }

/** Sets cookies of a better-auth answer. They replace the cookie of a session that this request has just prolonged. */
const setCookies = (reply: FastifyReply, cookies: string[]) =>
  reply.removeHeader('set-cookie').header('set-cookie', cookies)

/** Routes for people who are not signed in. */
export function addEntranceRoutes(app: App, sessions: Sessions): void {
  addRoute(app, entranceRoutes.getInstallation, async ({ ctx }) => ({
    signUp: ctx.config.signUp,
    sendsMail: ctx.mailer.sendsMail,
  }))

  // 200 without a session too: a page that asks who is signed in made no error.
  addRoute(app, entranceRoutes.getVisitor, async (request, reply) => {
    const { signedIn, cookies } = await sessions.find(request)
    setCookies(reply, cookies)
    return { session: signedIn ? await describeSession(request.ctx, signedIn.user) : null }
  })

  addRoute(app, entranceRoutes.signUp, async (request, reply) => {
    const { session, cookies } = await signUp(request.ctx, clientOf(request), request.body)
    setCookies(reply, cookies)
    return session
  })

  addRoute(app, entranceRoutes.signIn, async (request, reply) => {
    const { session, cookies } = await signIn(request.ctx, clientOf(request), request.body)
    setCookies(reply, cookies)
    return session
  })

  addRoute(app, entranceRoutes.signOut, async (request, reply) => {
    setCookies(reply, await signOut(request.ctx, clientOf(request)))
    return done
  })

  addRoute(app, entranceRoutes.forgetPassword, async (request) => {
    await forgetPassword(request.ctx, clientOf(request), request.body.email)
    return done
  })

  addRoute(app, entranceRoutes.resetPassword, async (request) => {
    await resetPassword(request.ctx, clientOf(request), request.body)
    return done
  })

  addRoute(app, entranceRoutes.confirmEmail, async ({ ctx, body }) => {
    await confirmEmail(ctx, body.token)
    return done
  })
}

/** Routes that need a session, but no organization. */
export function addSessionRoutes(app: App): void {
  addRoute(app, sessionRoutes.getSession, ({ ctx, signedIn }) => describeSession(ctx, signedIn.user))

  addRoute(app, sessionRoutes.changePassword, async (request, reply) => {
    const asked = { user: request.signedIn.user, change: request.body }
    setCookies(reply, await changePassword(request.ctx, clientOf(request), asked))
    return done
  })

  addRoute(app, sessionRoutes.sendVerification, async ({ ctx, signedIn }) => {
    await sendVerification(ctx, signedIn.user)
    return done
  })

  addRoute(app, sessionRoutes.updateProfile, async ({ ctx, signedIn, body }) => {
    const user = await patchProfile(ctx, signedIn.user.id, body)
    await announceUser(ctx, user.id)
    return user
  })

  addRoute(app, sessionRoutes.listSessions, async ({ ctx, signedIn }) => ({
    sessions: await selectDevices(ctx.directory, signedIn.user.id, signedIn.sessionId),
  }))

  addRoute(app, sessionRoutes.endOtherSessions, async ({ ctx, signedIn }) => ({
    ended: await deleteOtherSessions(ctx.directory, signedIn.user.id, signedIn.sessionId),
  }))

  addRoute(app, sessionRoutes.endSession, async ({ ctx, signedIn, params }) => {
    await endSession(ctx, signedIn.user.id, params.id)
    return { id: params.id, deleted: true as const }
  })

  addRoute(app, sessionRoutes.createOrganization, ({ ctx, signedIn, body }) =>
    addOrganization(ctx, signedIn.user.id, body),
  )
}
