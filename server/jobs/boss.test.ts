import { Writable } from 'node:stream'
import { PgBoss } from 'pg-boss'
import pino, { type Logger } from 'pino'
import { expect, test } from 'vitest'
import { plainError } from '../base/plain-error.ts'
import { collapseOutages } from '../operations/log.ts'
import { logErrors, SCHEMA } from './boss.ts'

function openBoss() {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const hooks = { logMethod: collapseOutages(() => log) }
  const log: Logger = pino({ base: null, timestamp: false, hooks, serializers: { err: plainError } }, stream)
  const nowhere = { executeSql: async () => ({ rows: [] }) }
  const boss = new PgBoss({ db: nowhere, schema: SCHEMA })
  logErrors(boss, log)
  /** Emits an error as a worker of pg-boss does: a copy, with the name of the worker in the message. */
  const fail = (error: Error, queue: string) => {
    const message = `${error.message} (Queue: ${queue}, Worker: of ${queue})`
    boss.emit('error', {
      ...error,
      message,
      stack: error.stack,
      queue,
      worker: `of ${queue}`,
    } as unknown as Error)
  }
  return { lines, fail, boss }
}

test('logs an unavailable database once, for all workers that report it', () => {
  const { lines, fail } = openBoss()
  const away = Object.assign(new Error('the database system is starting up'), { code: '57P03' })
  for (const queue of ['webhooks.sweep', 'reports.sweep', 'imports.work']) {
    fail(new Error('Connection terminated unexpectedly'), queue)
    fail(away, queue)
  }
  expect(lines).toEqual([
    { level: 50, reason: 'Connection terminated unexpectedly', msg: 'the job queue had an error' },
  ])
})

test('logs every defect, with its queue and worker', () => {
  const { lines, fail } = openBoss()
  for (const queue of ['webhooks.sweep', 'reports.sweep']) fail(new Error('a defect'), queue)
  expect(lines).toMatchObject([
    { err: { message: 'a defect', queue: 'webhooks.sweep', worker: 'of webhooks.sweep' } },
    { err: { message: 'a defect', queue: 'reports.sweep', stack: expect.stringContaining('a defect') } },
  ])
})

test('logs an error of pg-boss itself with its class, stack and cause', () => {
  const { lines, boss } = openBoss()
  boss.emit('error', new TypeError('maintenance failed', { cause: new Error('a defect') }))
  expect(lines).toMatchObject([
    { err: { type: 'TypeError', message: expect.stringContaining('maintenance failed') } },
  ])
  expect(JSON.stringify(lines)).toContain('a defect')
})
