// The limit's process: Fastify with nothing but one prepared statement for each request.

import Fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'
import { answerMessages } from '../harness/partner.ts'
import { GET_STATEMENT, INSERT_STATEMENT, PATCH_STATEMENT, type Statement } from './limit-statements.ts'

export interface LimitParams {
  connection: pg.ClientConfig
  poolSize: number
  /** `options` of every PostgreSQL session. */
  session: string
  /** Answered at /questions/<place in the list>. */
  statements: Statement[]
}

const JSON_TYPE = 'application/json; charset=utf-8'

function oneRoute(app: FastifyInstance, pool: pg.Pool): void {
  app.get<{ Params: { id: string } }>('/people/:id', async ({ params }, reply) => {
    const { rows } = await pool.query<{ record: string }>({
      name: 'get',
      text: GET_STATEMENT,
      values: [params.id],
    })
    reply.type(JSON_TYPE)
    return rows[0]?.record
  })
}

function questionRoutes(app: FastifyInstance, pool: pg.Pool, statements: readonly Statement[]): void {
  for (const [place, statement] of statements.entries())
    app.get(`/questions/${place}`, async (_request, reply) => {
      const { rows } = await pool.query<{ total: string | null; id: string | null }>(statement)
      reply.type(JSON_TYPE)
      const records = rows[0]?.id === null ? [] : rows
      return `{"records":${JSON.stringify(records)},"pagination":{"total":${rows[0]?.total ?? null}}}`
    })
}

function writingRoutes(app: FastifyInstance, pool: pg.Pool): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.post('/people', async ({ body }, reply) => {
    const { rowCount } = await pool.query({ name: 'insert', text: INSERT_STATEMENT, values: [body] })
    reply.type(JSON_TYPE)
    return `{"created":${rowCount}}`
  })
  app.patch<{ Params: { id: string } }>('/people/:id', async ({ params, body }, reply) => {
    const values = [params.id, body]
    const { rows } = await pool.query<{ record: string }>({ name: 'patch', text: PATCH_STATEMENT, values })
    reply.type(JSON_TYPE)
    return rows[0]?.record
  })
}

/** Plans each statement for its operand: a generic plan reads the whole table for some operands. */
const FOR_THE_OPERAND = '-c plan_cache_mode=force_custom_plan'

async function serve({ connection, poolSize, session, statements }: LimitParams): Promise<string> {
  // Values stay text as PostgreSQL sends them, because nothing is computed with them.
  const types = { getTypeParser: () => (text: string) => text }
  const open = (options: string) => {
    const pool = new pg.Pool({ ...connection, max: poolSize, options, idleTimeoutMillis: 60_000, types })
    pool.on('error', () => undefined)
    return pool
  }
  const app = Fastify({ bodyLimit: 1 << 24 })
  const pool = open(session)
  oneRoute(app, pool)
  questionRoutes(app, open(`${session} ${FOR_THE_OPERAND}`), statements)
  writingRoutes(app, pool)
  return app.listen({ port: 0, host: '127.0.0.1' })
}

answerMessages(async (params: LimitParams) => ({ url: await serve(params) }))
