// While the disk of the database is full, requests that would write are refused before their bodies are read: what is left
// of the disk is for the log of reads and of what is under way.
import type { FastifyRequest } from 'fastify'
import type { DiskSpace } from '../disk-space/disk-space.ts'
import type { App } from './request.ts'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

function changes({ method, is404, routeOptions }: FastifyRequest): boolean {
  if (READS.has(method) || is404) return false
  const { scope, changesNothing, worksOnFullDisk } = routeOptions.config ?? {}
  return !(scope?.endsWith(':read') || changesNothing || worksOnFullDisk)
}

/** After authentication: who may not write at all is told so. */
export function refuseWrites(app: App, ctx: { diskSpace: Pick<DiskSpace, 'refusal'> }): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { refusal } = (request.ctx ?? ctx).diskSpace
    done(refusal && changes(request) ? refusal : null, payload)
  })
}
