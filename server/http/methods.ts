// Answers 405 with the allowed methods when a known URL is requested with another method.
import type { RouteOptions } from 'fastify'
import { AppError } from '../base/errors.ts'
import type { App } from './request.ts'

const ALL = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Call it before routes are added, and `refuseOthers` after all routes are added. */
export function listMethods(app: App): { refuseOthers(): void } {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ routePath, method }: RouteOptions & { routePath: string }) => {
    const methods = known.get(routePath) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    known.set(routePath, methods)
  })
  return {
    refuseOthers() {
      for (const [url, methods] of [...known]) refuse(app, url, [...methods])
    },
  }
}

function refuse(app: App, url: string, allowed: string[]): void {
  const others = ALL.filter((method) => !allowed.includes(method))
  if (others.length === 0) return
  app.route({
    url,
    method: others,
    config: { refused: true },
    // Refused in this hook, before the body is read.
    onRequest: (request, reply, done) => {
      reply.header('allow', allowed.join(', '))
      done(
        new AppError(
          'method_not_allowed',
          `${request.method} is not allowed for this URL: use ${allowed.join(', ')}`,
        ),
      )
    },
    handler: () => undefined,
  })
}
