// The limit: Fastify and one prepared statement per request. No key, no checks, no event.
//
// This is the fastest of the variants that were tried. Answers: Node joins the rows, with data and time as PostgreSQL
// writes them. For a page of 50 this is a quarter faster than JSON text built by PostgreSQL, whose to_char costs more
// than the join. Bodies: Node does not parse them. PostgreSQL takes the data out of the unchanged text.

import Fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'
import { idTime, newId } from '../../server/base/id.ts'
import { answerMessages } from '../harness/partner.ts'
import type { BenchObject } from './fixture.ts'
import { UPSERT_BEGINS } from './requests.ts'

export interface LimitParams {
  connection: pg.ClientConfig
  poolSize: number
  /** `options` of every PostgreSQL session. */
  session: string
  objects: BenchObject[]
}

interface Params {
  objectId: string
  recordId: string
}

interface Row {
  id: string
  updated: string
  version: number
  data: string
}

const columns = 'id, updated_at::text as updated, version, data::text as data'
const GET = { name: 'get', text: `select ${columns} from records where org = $1 and obj = $2 and id = $3` }
const LIST = {
  name: 'list',
  text: `select ${columns} from records where org = $1 and obj = $2 order by id desc limit 50`,
}
const CREATE = {
  name: 'create',
  text: `insert into records (org, obj, id, updated_at, data)
    values ($1, $2, $3, now(), ($4::json->'data')::jsonb) returning ${columns}`,
}
const BULK = {
  name: 'bulk',
  text: `insert into records (org, obj, id, updated_at, data)
    select $1, $2, uuidv7(), now(), record->'data' from jsonb_array_elements($3::jsonb->'records') as record`,
}

const PATCH = {
  name: 'patch',
  text: `update records set data = data || ($4::json->'data')::jsonb, updated_at = now(), version = version + 1
    where org = $1 and obj = $2 and id = $3 returning ${columns}`,
}
/** Finds people by email address in the table `emails`, which `limit.ts` makes. */
const UPSERT = {
  name: 'upsert',
  text: `merge into records r using (
      select record->'data' as data, known.id from jsonb_array_elements($3::jsonb->'records') as record
      left join emails known on known.org = $1 and known.obj = $2 and known.email = record->'data'->>'email') s
    on r.org = $1 and r.obj = $2 and r.id = s.id
    when matched then update set data = r.data || s.data, updated_at = now(), version = r.version + 1
    when not matched then insert (org, obj, id, updated_at, data) values ($1, $2, uuidv7(), now(), s.data)`,
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** ISO 8601 with milliseconds, from PostgreSQL's `2026-11-20 10:00:00.1234+00`, which omits trailing zeros. */
function isoOf(text: string): string {
  const time = text.slice(11, -3)
  const millis = time.length > 8 ? time.slice(0, 12).padEnd(12, '0') : `${time}.000`
  return `${text.slice(0, 10)}T${millis}Z`
}

const recordText = (objectId: string, { id, updated, version, data }: Row) =>
  `{"id":"${id}","objectId":"${objectId}","data":${data},"createdAt":"${new Date(idTime(id)).toISOString()}","updatedAt":"${isoOf(updated)}","version":${version}}`

type Numbers = (objectId: string) => readonly number[]

function readingRoutes(app: FastifyInstance, pool: pg.Pool, numbersOf: Numbers): void {
  app.get<{ Params: Params }>('/api/v1/objects/:objectId/records/:recordId', async (request, reply) => {
    const { objectId, recordId } = request.params
    const { rows } = await pool.query<Row>({ ...GET, values: [...numbersOf(objectId), recordId] })
    reply.type(JSON_TYPE)
    return rows[0] && recordText(objectId, rows[0])
  })
  app.get<{ Params: Params }>('/api/v1/objects/:objectId/records', async (request, reply) => {
    const { objectId } = request.params
    const { rows } = await pool.query<Row>({ ...LIST, values: [...numbersOf(objectId)] })
    reply.type(JSON_TYPE)
    const records = rows.map((row) => recordText(objectId, row)).join(',')
    return `{"records":[${records}],"pagination":{"limit":50,"offset":0}}`
  })
}

function writingRoutes(app: FastifyInstance, pool: pg.Pool, numbersOf: Numbers): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.post<{ Params: Params }>('/api/v1/objects/:objectId/records', async (request, reply) => {
    const { objectId } = request.params
    const values = [...numbersOf(objectId), newId(), request.body]
    const { rows } = await pool.query<Row>({ ...CREATE, values })
    reply.code(201).type(JSON_TYPE)
    return rows[0] && recordText(objectId, rows[0])
  })
  app.patch<{ Params: Params }>('/api/v1/objects/:objectId/records/:recordId', async (request, reply) => {
    const { objectId, recordId } = request.params
    const { rows } = await pool.query<Row>({
      ...PATCH,
      values: [...numbersOf(objectId), recordId, request.body],
    })
    reply.type(JSON_TYPE)
    return rows[0] && recordText(objectId, rows[0])
  })
  app.post<{ Params: Params; Body: string }>(
    '/api/v1/objects/:objectId/records/bulk',
    async ({ params, body }, reply) => {
      const isUpsert = body.startsWith(UPSERT_BEGINS)
      const values = [...numbersOf(params.objectId), body]
      const { rowCount } = await pool.query({ ...(isUpsert ? UPSERT : BULK), values })
      reply.type(JSON_TYPE)
      return isUpsert ? `{"written":${rowCount},"failed":[]}` : `{"created":${rowCount},"failed":[]}`
    },
  )
}

async function serve({ connection, poolSize, session, objects }: LimitParams): Promise<string> {
  const pool = new pg.Pool({ ...connection, max: poolSize, options: session, idleTimeoutMillis: 60_000 })
  const numbers = new Map(objects.map(({ id, org, obj }) => [id, [org, obj]]))
  const numbersOf = (objectId: string) => numbers.get(objectId) ?? [0, 0]
  const app = Fastify()
  readingRoutes(app, pool, numbersOf)
  writingRoutes(app, pool, numbersOf)
  return app.listen({ port: 0, host: '127.0.0.1' })
}

answerMessages(async (params: LimitParams) => ({ url: await serve(params) }))
