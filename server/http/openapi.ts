// The API document (OpenAPI 3.1) at /api/v1/openapi.json, made from the declared routes, once.
import type { Config } from '../config.ts'
import type { Admission } from './admission.ts'
import { countRequest } from './authenticate.ts'
import { API_PREFIX, apiDocument } from './openapi/api-document.ts'
import { JSON_TYPE } from './render-errors.ts'
import type { App } from './request.ts'

export const DOCUMENT_PATH = `${API_PREFIX}/openapi.json`

export function describeApi(app: App, { baseUrl }: Pick<Config, 'baseUrl'>, admission: Admission): void {
  let text: string | undefined
  app.get(DOCUMENT_PATH, { onRequest: countRequest(admission) }, async (_request, reply) => {
    text ??= JSON.stringify(apiDocument(baseUrl))
    reply.type(JSON_TYPE)
    return text
  })
}
