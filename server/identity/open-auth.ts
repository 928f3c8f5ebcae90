// better-auth for a process: loaded and connected when first asked for, closed if it was.
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Auth } from './auth.ts'

interface OpenAuth {
  auth(): Promise<Auth>
  close(): Promise<void>
}

async function load(connection: ClientConfig, config: Config, log: Logger): Promise<Auth> {
  const [{ createAuth }, { readAuthSecret }] = await Promise.all([import('./auth.ts'), import('./secret.ts')])
  return createAuth({ connection, secret: await readAuthSecret(config), baseUrl: config.baseUrl, log })
}

export function openAuth(connection: ClientConfig, config: Config, log: Logger): OpenAuth {
  let opened: Promise<Auth> | undefined
  return {
    auth() {
      opened ??= load(connection, config, log).catch((error) => {
        opened = undefined
        throw error
      })
      return opened
    },
    close: async () => (await opened?.catch(() => undefined))?.close(),
  }
}
