// Serves the API document (OpenAPI 3.1) at /api/v1/openapi.json, generated once from the declared routes.
import type { Config } from '../config/config.ts'
import type { Admission } from './admission.ts'
import { countKeyUse } from './authenticate.ts'
import { API_PREFIX, apiDocument } from './openapi/api-document.ts'
import type { EventExample } from './openapi/webhooks.ts'
import { JSON_TYPE } from './render-errors.ts'
import type { App } from './request.ts'

export const DOCUMENT_PATH = `${API_PREFIX}/openapi.json`

interface Described {
  config: Pick<Config, 'baseUrl'>
  exampleOf: EventExample
}

export function describeApi(app: App, { config, exampleOf }: Described, admission: Admission): void {
  let text: string | undefined
  app.get(DOCUMENT_PATH, { onRequest: countKeyUse(admission) }, async (_request, reply) => {
    text ??= JSON.stringify(apiDocument(config.baseUrl, exampleOf))
    reply.type(JSON_TYPE)
    return text
  })
}
