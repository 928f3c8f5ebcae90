import { address } from '../../shared/paths.ts'

export const identityPaths = {
  signIn: () => address('sign-in'),
  signUp: () => address('sign-up'),
  forgotPassword: () => address('forgot-password'),
  invitation: (token: string) => address('invitation', token),
  newOrganization: () => address('new-organization'),
} as const
