// A known address asked with a method it does not have: 405 that names those it has.
import type { RouteOptions } from 'fastify'
import { AppError } from '../base/errors.ts'
import type { App } from './request.ts'

const ALL = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Call first; call `refuseOthers` once every route is there. */
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
    // In the hook, so that the body of a refused request is not looked at.
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
