// Signing up, in and out; the user's own account; the organization itself.
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { Deleted } from '../../contract/common.ts'
import { NewOrganization, Organization, OrganizationPatch } from '../../contract/organization.ts'
import {
  DeviceList,
  Done,
  EmailConfirmation,
  EndedSessions,
  ForgottenPassword,
  Installation,
  PasswordChange,
  PasswordReset,
  ProfilePatch,
  Session,
  SessionUser,
  SignIn,
  SignUp,
  Visitor,
} from '../../contract/session.ts'
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
import { endSession, getOrganization, patchOrganization, patchProfile } from './service.ts'
import { deleteOtherSessions, selectDevices } from './store.ts'

const done = { done: true as const }
const SessionParams = Type.Object({ id: Type.String() })

/** Cookies of a better-auth answer; one of the running session that was prolonged a moment ago gives way. */
const setCookies = (reply: FastifyReply, cookies: string[]) =>
  reply.removeHeader('set-cookie').header('set-cookie', cookies)

/** Routes for people who are not signed in. */
export function entranceRoutes(app: App, sessions: Sessions): void {
  app.get('/installation', { schema: { response: { 200: Installation } } }, async ({ ctx }) => ({
    signUp: ctx.config.signUp,
    sendsMail: ctx.mailer.sendsMail,
  }))

  // 200 without a session too: a page that asks who is signed in has met no error.
  app.get('/visitor', { schema: { response: { 200: Visitor } } }, async ({ ctx, headers }, reply) => {
    const { signedIn, cookies } = await sessions.find(headers)
    setCookies(reply, cookies)
    return { session: signedIn ? await describeSession(ctx, signedIn.user) : null }
  })

  app.post('/sign-up', { schema: { body: SignUp, response: { 201: Session } } }, async (request, reply) => {
    const { session, cookies } = await signUp(request.ctx, clientOf(request), request.body)
    setCookies(reply, cookies).code(201)
    return session
  })

  app.post('/sign-in', { schema: { body: SignIn, response: { 200: Session } } }, async (request, reply) => {
    const { session, cookies } = await signIn(request.ctx, clientOf(request), request.body)
    setCookies(reply, cookies)
    return session
  })

  app.post('/sign-out', { schema: { response: { 200: Done } } }, async (request, reply) => {
    setCookies(reply, await signOut(request.ctx, clientOf(request)))
    return done
  })

  app.post(
    '/forgot-password',
    { schema: { body: ForgottenPassword, response: { 200: Done } } },
    async (request) => {
      await forgetPassword(request.ctx, clientOf(request), request.body.email)
      return done
    },
  )

  app.post(
    '/reset-password',
    { schema: { body: PasswordReset, response: { 200: Done } } },
    async (request) => {
      await resetPassword(request.ctx, clientOf(request), request.body)
      return done
    },
  )

  app.post(
    '/verify-email',
    { schema: { body: EmailConfirmation, response: { 200: Done } } },
    async ({ ctx, body }) => {
      await confirmEmail(ctx, body.token)
      return done
    },
  )
}

/** Routes that need a session, but no organization. */
export function sessionRoutes(app: App): void {
  app.get('/session', { schema: { response: { 200: Session } } }, ({ ctx, signedIn }) =>
    describeSession(ctx, signedIn.user),
  )

  app.post(
    '/change-password',
    { schema: { body: PasswordChange, response: { 200: Done } } },
    async (request, reply) => {
      const asked = { user: request.signedIn.user, change: request.body }
      setCookies(reply, await changePassword(request.ctx, clientOf(request), asked))
      return done
    },
  )

  app.post('/verification-mail', { schema: { response: { 200: Done } } }, async ({ ctx, signedIn }) => {
    await sendVerification(ctx, signedIn.user)
    return done
  })

  app.patch(
    '/profile',
    { schema: { body: ProfilePatch, response: { 200: SessionUser } } },
    ({ ctx, signedIn, body }) => patchProfile(ctx, signedIn.user.id, body),
  )

  app.get('/sessions', { schema: { response: { 200: DeviceList } } }, async ({ ctx, signedIn }) => ({
    sessions: await selectDevices(ctx.db, signedIn.user.id, signedIn.sessionId),
  }))

  app.delete('/sessions', { schema: { response: { 200: EndedSessions } } }, async ({ ctx, signedIn }) => ({
    ended: await deleteOtherSessions(ctx.db, signedIn.user.id, signedIn.sessionId),
  }))

  app.delete(
    '/sessions/:id',
    { schema: { params: SessionParams, response: { 200: Deleted } } },
    async ({ ctx, signedIn, params }) => {
      await endSession(ctx, signedIn.user.id, params.id)
      return { id: params.id, deleted: true as const }
    },
  )

  app.post(
    '/organizations',
    { schema: { body: NewOrganization, response: { 201: Organization } } },
    async ({ ctx, signedIn, body }, reply) => {
      reply.code(201)
      return addOrganization(ctx, signedIn.user.id, body)
    },
  )
}

/** Routes of one organization. */
export function organizationRoutes(app: App): void {
  app.get(
    '/organization',
    { config: { role: 'member' }, schema: { response: { 200: Organization } } },
    ({ ctx, caller }) => getOrganization(ctx, caller.orgId),
  )

  app.patch(
    '/organization',
    { config: { role: 'admin' }, schema: { body: OrganizationPatch, response: { 200: Organization } } },
    ({ ctx, caller, body }) => patchOrganization(ctx, caller.orgId, body),
  )
}
