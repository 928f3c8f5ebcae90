// Browsers that reached the service over https stay there.
import type { Config } from '../config.ts'
import type { App } from './request.ts'

const YEAR_SECONDS = 365 * 24 * 3600

/** For this host alone: what runs beside it under the same domain is not ours to decide about. */
export function requireHttps(app: App, { baseUrl }: Pick<Config, 'baseUrl'>): void {
  if (!baseUrl.startsWith('https:')) return
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`)
    done()
  })
}
