// Routes of jobs, their files and their results.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { JobResult } from '../../contract/job-results.ts'
import { type JobFormat, type JobUpload, jobRoutes } from '../../contract/jobs.ts'
import type { CrmRecord } from '../../contract/records.ts'
import { addRoute } from '../http/add-route.ts'
import { sendAttachment } from '../http/attachment.ts'
import type { App } from '../http/request.ts'
import { cancelJob, createJob, deleteJob, followedJob, jobFile, jobResults, listJobs } from './service.ts'
import { readPiece, readUpload, receivePiece } from './upload.ts'

/** Headers of the IETF draft of resumable uploads. */
const withOffset = (reply: FastifyReply, upload: JobUpload): JobUpload => {
  reply.headers({
    'upload-offset': String(upload.offset),
    'upload-complete': upload.isComplete ? '?1' : '?0',
    'cache-control': 'no-store',
  })
  return upload
}

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const satisfies Record<JobFormat, string>

export function addJobRoutes(app: App): void {
  // Counts as a search, because a dry run counts the records that match a filter.
  addRoute(app, { ...jobRoutes.createJob, isSearch: true }, ({ ctx, caller, query, body }) =>
    createJob(ctx, caller, body, { isDryRun: query.dryRun }),
  )

  addRoute(app, jobRoutes.listJobs, ({ ctx, caller, query }) => listJobs(ctx, caller, query))

  addRoute(app, jobRoutes.getJob, ({ ctx, caller, params }) => followedJob(ctx, caller, params.jobId))

  addRoute(app, jobRoutes.getJobUpload, async ({ ctx, caller, params }, reply) =>
    withOffset(reply, await readUpload(ctx, caller, params.jobId)),
  )

  addRoute(
    app,
    {
      ...jobRoutes.sendJobContent,
      slowBody: true,
      // The size is checked while the file is stored.
      bodyLimit: Number.MAX_SAFE_INTEGER,
    },
    async ({ ctx, caller, params, headers, body }, reply) => {
      const payload = (body as Readable | undefined) ?? Readable.from([])
      try {
        const piece = readPiece(headers)
        // Reads the rest of a refused body, because a client that is still sending would not see the response.
        const source = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
        return withOffset(reply, await receivePiece(ctx, caller, params.jobId, { ...piece, source }))
      } finally {
        payload.resume()
      }
    },
  )

  addRoute(app, jobRoutes.cancelJob, ({ ctx, caller, params }) => cancelJob(ctx, caller, params.jobId))

  addRoute(app, jobRoutes.deleteJob, async ({ ctx, caller, params }) => ({
    id: await deleteJob(ctx, caller, params.jobId),
    deleted: true as const,
  }))

  addRoute(app, jobRoutes.downloadJobResults, async ({ ctx, caller, params, query }, reply) => {
    const results = await jobResults(ctx, caller, { id: params.jobId, status: query.status })
    reply.type(`${TYPES.ndjson}; charset=utf-8`)
    return reply.send(Readable.from(results, { objectMode: false })) as unknown as JobResult
  })

  addRoute(app, jobRoutes.downloadJobFile, async ({ ctx, caller, params }, reply) => {
    const { fileName, format, bytes } = await jobFile(ctx, caller, params.jobId)
    const type = `${TYPES[format]}; charset=utf-8`
    const content = Readable.from(bytes, { objectMode: false })
    return sendAttachment(reply, { fileName, type, content }) as unknown as CrmRecord
  })
}
