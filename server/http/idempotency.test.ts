import fastify from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import type { Caller } from '../base/caller.ts'
import { invalidField } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import type { Context } from '../context.ts'
import { createTestDatabase } from '../test/database.ts'
import { makeIdempotent } from './idempotency.ts'
import { errorBody } from './render-errors.ts'

const { pool } = await createTestDatabase()
const app = fastify()
afterAll(() => app.close())
app.decorateRequest('ctx')
app.decorateRequest('caller')
app.addHook('onRequest', async (request) => {
  request.ctx = { db: pool } as Partial<Context> as Context
  request.caller = { org: 1, keyId: newId() } as Caller
})
app.addHook('onRoute', makeIdempotent)

let tries = 0
app.post('/twice', async (request, reply) => {
  tries++
  if (tries > 1) throw invalidField('name', 'taken', 'is taken meanwhile')
  reply.code(201).header('etag', '"1"')
  await request.ctx.db.run(sql`do $$ begin raise 'deadlock' using errcode = '40P01'; end $$`)
})

test('a response has no status or headers of an earlier try, which PostgreSQL ended', async () => {
  const answer = await app.inject({ method: 'POST', url: '/twice', headers: { 'idempotency-key': 'one' } })
  expect(tries).toBe(2)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toEqual(errorBody(invalidField('name', 'taken', 'is taken meanwhile'), 'req-1'))
  expect(answer.headers.etag).toBeUndefined()
})
