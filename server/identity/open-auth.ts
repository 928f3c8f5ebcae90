// better-auth for a process: loaded and connected on first use, closed if it was used.
import type { ClientConfig } from 'pg'
import { readAuthSecret } from '../secrets/key-files.ts'
import type { Auth, AuthMails } from './auth.ts'
import type { IdentityContext } from './context.ts'
import { passwordChangedMail, resetMail } from './mails.ts'

interface OpenAuth {
  auth(): Promise<Auth>
  close(): Promise<void>
}

type AuthContext = Pick<IdentityContext, 'config' | 'log' | 'mailer'>

const mailsBy = ({ config: { baseUrl }, mailer }: AuthContext): AuthMails => ({
  resetRequested: (user, token) => mailer.post(resetMail(user, `${baseUrl}/reset-password?token=${token}`)),
  passwordChanged: (user) => mailer.post(passwordChangedMail(user, `${baseUrl}/forgot-password`)),
})

async function load(connection: ClientConfig, ctx: AuthContext): Promise<Auth> {
  const { createAuth } = await import('./auth.ts')
  const { config, log } = ctx
  const secret = readAuthSecret(config)
  return createAuth({ connection, secret, baseUrl: config.baseUrl, log, mails: mailsBy(ctx) })
}

export function openAuth(connection: ClientConfig, ctx: AuthContext): OpenAuth {
  let opened: Promise<Auth> | undefined
  return {
    auth() {
      opened ??= load(connection, ctx).catch((error) => {
        opened = undefined
        throw error
      })
      return opened
    },
    close: async () => (await opened?.catch(() => undefined))?.close(),
  }
}
