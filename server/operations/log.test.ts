import { Writable } from 'node:stream'
import pino, { type Level, type Logger } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { unavailable } from '../base/errors.ts'
import { collapseOutages, logConsoleErrors } from './log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openLog(level: Level = 'info') {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const { level: number, ...line } = JSON.parse(String(chunk))
      lines.push({ ...line, level: pino.levels.labels[number] })
      done()
    },
  })
  const hooks = { logMethod: collapseOutages(() => log) }
  const log: Logger = pino({ level, base: null, timestamp: false, hooks }, stream)
  return { lines, log }
}

const refused = () =>
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
const moving = () => Object.assign(new Error('it moves'), { code: 'RP001' })

test('an outage is one line when it begins and one when it is over, without stacks', () => {
  const { lines, log } = openLog()
  for (let second = 0; second < 30; second++) {
    log.child({ requestId: `r${second}` }).error({ err: refused() }, 'request failed')
    vi.advanceTimersByTime(1000)
  }
  expect(lines).toEqual([
    { level: 'error', requestId: 'r0', reason: 'connect ECONNREFUSED 127.0.0.1:5432', msg: 'request failed' },
  ])
  vi.advanceTimersByTime(15_000)
  expect(lines.slice(1)).toEqual([{ level: 'info', times: 30, seconds: 29, msg: 'over: request failed' }])
  log.error({ err: refused() }, 'request failed')
  expect(lines).toHaveLength(3)
})

test('each affected part has its own line, and so has each cell, replica and message', () => {
  const { lines, log } = openLog()
  for (const fields of [{}, { cell: 1 }, { cell: 2 }, { to: 'ada@example.com' }, { cell: 1 }, {}])
    log.warn({ err: refused(), ...fields }, 'it failed')
  log.warn({ err: refused() }, 'another part failed')
  expect(lines.map(({ msg, cell, to }) => [msg, cell ?? to])).toEqual([
    ['it failed', undefined],
    ['it failed', 1],
    ['it failed', 2],
    ['it failed', 'ada@example.com'],
    ['another part failed', undefined],
  ])
})

test('repeated refusals by the service itself count as an outage too', () => {
  const { lines, log } = openLog()
  for (let n = 0; n < 5; n++) log.error({ err: unavailable('Too many: try again') }, 'request failed')
  expect(lines).toEqual([{ level: 'error', reason: 'Too many: try again', msg: 'request failed' }])
})

test('the move of an organization is logged as information, not as an error', () => {
  const { lines, log } = openLog()
  log.error({ err: moving(), requestId: 'r' }, 'request failed')
  log.error({ err: moving() }, 'webhooks had an error and continue')
  expect(lines).toEqual([
    {
      ...{ level: 'info', requestId: 'r', reason: 'it moves (RP001)' },
      msg: 'work of an organization waits: it is being moved to another cell',
    },
  ])
})

test('defects are logged every time, with their stacks', () => {
  const { lines, log } = openLog()
  for (let n = 0; n < 2; n++) log.error({ err: new Error('a defect') }, 'request failed')
  log.info('stopping')
  expect(lines).toMatchObject([
    { err: { stack: expect.stringContaining('a defect') } },
    { err: { message: 'a defect' } },
    { msg: 'stopping' },
  ])
})

test('at the level debug, all lines are logged', () => {
  const { lines, log } = openLog('debug')
  for (let n = 0; n < 3; n++) log.error({ err: refused() }, 'request failed')
  expect(lines).toHaveLength(3)
})

test('errors that libraries write to the console are lines of the log, and collapse as others do', () => {
  const { lines, log } = openLog()
  // Replaced, so that it is restored after the test.
  const spy = vi.spyOn(console, 'error')
  logConsoleErrors(log)
  for (let n = 0; n < 3; n++) console.error(refused())
  console.error('two', 2)
  spy.mockRestore()
  const shared = { level: 'error', msg: 'a library reports an error' }
  expect(lines).toEqual([
    { ...shared, reason: 'connect ECONNREFUSED 127.0.0.1:5432' },
    { ...shared, details: ['two', '2'] },
  ])
})
