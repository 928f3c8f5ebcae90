// The API document (OpenAPI 3.1) at /api/v1/openapi.json, made from the routes themselves.
import swagger from '@fastify/swagger'
import type { Config } from '../config.ts'
import type { App } from './request.ts'

/** Register before any route: it hears of each as it is added. */
export function describeApi(app: App, { baseUrl }: Pick<Config, 'baseUrl'>): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Rapport API', version: '1.0.0' },
      servers: [{ url: baseUrl }],
    },
  })
  app.get('/api/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
