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
  /** As a worker of pg-boss does it: a copy, with its name in the message. */
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

test('an unavailable database is one line, however many workers report it', () => {
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

test('a defect is shown each time, with the queue and the worker', () => {
  const { lines, fail } = openBoss()
  for (const queue of ['webhooks.sweep', 'reports.sweep']) fail(new Error('a defect'), queue)
  expect(lines).toMatchObject([
    { err: { message: 'a defect', queue: 'webhooks.sweep', worker: 'of webhooks.sweep' } },
    { err: { message: 'a defect', queue: 'reports.sweep', stack: expect.stringContaining('a defect') } },
  ])
})

test('an error of the queue itself keeps its class, stack and cause', () => {
  const { lines, boss } = openBoss()
  boss.emit('error', new TypeError('maintenance failed', { cause: new Error('a defect') }))
  expect(lines).toMatchObject([
    { err: { type: 'TypeError', message: expect.stringContaining('maintenance failed') } },
  ])
  expect(JSON.stringify(lines)).toContain('a defect')
})
