// Bodies: JSON only, numbers exact, at most the route's size.
import { invalidField } from '../errors.ts'
import { MalformedJson, parseJson } from '../json.ts'
import type { App } from './request.ts'

export function parseBodies(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string
    if (request.headers['idempotency-key'] !== undefined) request.rawBody = text
    if (text === '') return done(null, undefined)
    try {
      done(null, parseJson(text))
    } catch (error) {
      if (!(error instanceof MalformedJson)) throw error
      done(invalidField('', 'malformed_json', error.message))
    }
  })
}
