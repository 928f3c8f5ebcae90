// The API document (OpenAPI 3.1) at /api/v1/openapi.json, made from the routes themselves, once.
import swagger from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import type { Config } from '../config.ts'
import type { Admission } from './admission.ts'
import { countRequest } from './authenticate.ts'
import { API_PREFIX, completeDocument, describedRoute } from './openapi/complete.ts'
import type { OpenApiDocument } from './openapi/document.ts'
import { JSON_TYPE } from './render-errors.ts'
import type { App } from './request.ts'

export const DOCUMENT_PATH = `${API_PREFIX}/openapi.json`

const isDocumented = ({ config, method, schema, url }: RouteOptions) =>
  url.startsWith(API_PREFIX) &&
  config?.scope !== undefined &&
  method !== 'HEAD' &&
  !(schema as { hide?: boolean } | undefined)?.hide

/** Register before any route: it hears of each as it is added. */
export function describeApi(app: App, { baseUrl }: Pick<Config, 'baseUrl'>, admission: Admission): void {
  const described: ReturnType<typeof describedRoute>[] = []
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Rapport API', version: '1.0.0' },
      servers: [{ url: baseUrl, description: 'This installation' }],
    },
    convertConstToEnum: false,
    stripBasePath: false,
    transform({ schema, url, route }) {
      if (!isDocumented(route)) return { schema: { ...schema, hide: true }, url }
      described.push(describedRoute({ ...route, url }))
      return { schema, url }
    },
  })
  let text: string | undefined
  app.get(
    DOCUMENT_PATH,
    { schema: { hide: true }, onRequest: countRequest(admission) },
    async (_request, reply) => {
      text ??= JSON.stringify(completeDocument(app.swagger() as unknown as OpenApiDocument, described))
      reply.type(JSON_TYPE)
      return text
    },
  )
}
