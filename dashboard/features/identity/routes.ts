import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { preferredOrganization, sessionQuery } from '../../shared/api/session.ts'
import { frameless } from '../../shared/pages/frameless-page.tsx'
import { toSignIn } from '../../shared/routing/organization-route.ts'
import { root } from '../../shared/routing/root-route.ts'
import { homePaths } from '../home/paths.ts'
import { installationQuery, openedInvitationQuery } from './api.ts'
import { SignInPage } from './sign-in-page.tsx'

const index = createRoute({
  getParentRoute: () => root,
  ...frameless,
  path: '/',
  loader: async () => {
    const session = await queryClient.ensureQueryData(sessionQuery())
    if (!session) throw toSignIn('/')
    const organization = preferredOrganization(session)
    throw redirect({
      to: organization ? homePaths.home(organization.slug) : '/new-organization',
      replace: true,
    })
  },
})

/** The page to return to after signing in. */
const fromSearch = ({ from }: { from?: unknown }) => (typeof from === 'string' ? { from } : {})

const signIn = createRoute({
  getParentRoute: () => root,
  ...frameless,
  path: '/sign-in',
  validateSearch: fromSearch,
  // Most people see this page first: it is in the first script, and shown before any response.
  loader: () => void queryClient.prefetchQuery(installationQuery()),
  component: SignInPage,
})

const signUp = createRoute({
  getParentRoute: () => root,
  ...frameless,
  path: '/sign-up',
  loader: () => queryClient.ensureQueryData(installationQuery()),
  component: lazyRouteComponent(() => import('./sign-up-page.tsx'), 'SignUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  ...frameless,
  path: '/forgot-password',
  loader: () => queryClient.ensureQueryData(installationQuery()),
  component: lazyRouteComponent(() => import('./forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  ...frameless,
  path: '/reset-password',
  validateSearch: ({ token }: { token?: unknown }) => (typeof token === 'string' ? { token } : {}),
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
})

const verifyEmail = createRoute({
  getParentRoute: () => root,
  ...frameless,
  path: '/verify-email',
  validateSearch: ({ token }: { token?: unknown }) => (typeof token === 'string' ? { token } : {}),
  component: lazyRouteComponent(() => import('./verify-email-page.tsx'), 'VerifyEmailPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  ...frameless,
  path: '/invitation/$token',
  loader: ({ params }) =>
    Promise.all([
      queryClient.ensureQueryData(sessionQuery()),
      queryClient.ensureQueryData(openedInvitationQuery(params.token)),
    ]),
  component: lazyRouteComponent(() => import('./invitation-page.tsx'), 'InvitationPage'),
})

const newOrganization = createRoute({
  getParentRoute: () => root,
  ...frameless,
  path: '/new-organization',
  loader: async () => {
    if (!(await queryClient.ensureQueryData(sessionQuery()))) throw toSignIn('/new-organization')
    await queryClient.ensureQueryData(installationQuery())
  },
  component: lazyRouteComponent(() => import('./new-organization-page.tsx'), 'NewOrganizationPage'),
})

export const identityRoutes = [
  index,
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  verifyEmail,
  invitation,
  newOrganization,
]
