import { expect, test } from 'vitest'
import { keepsStatements, type PoolerClient } from './pooler-check.ts'

interface Kind {
  /** Whether prepared statements work on any server session of their client, as in PgBouncer 1.21 or newer. */
  keeps: boolean
  /** Idle sessions of other programs, which are assigned first. */
  others?: number
  /** The maximum number of sessions. */
  size?: number
}

/** A pooler that assigns the most recently used session per transaction. */
function pooler({ keeps, others = 0, size = 100 }: Kind) {
  const idle = Array.from({ length: others }, (_, nr) => ({ pid: 500 + nr, statements: new Set<string>() }))
  let sessions = 0
  let ended = 0
  const take = () => {
    const free = idle.pop()
    if (free) return free
    if (sessions === size) throw new Error('Query read timeout')
    return { pid: ++sessions, statements: new Set<string>() }
  }
  const connect = async (): Promise<PoolerClient> => {
    const prepared = new Set<string>()
    let held: ReturnType<typeof take> | undefined
    return {
      processID: 9000,
      async query(query) {
        if (query === 'begin') held = take()
        const session = held ?? take()
        if (typeof query === 'object') {
          const { name } = query
          const isKnown = prepared.has(name)
          if (isKnown && !keeps && !session.statements.has(name))
            throw Object.assign(new Error(`prepared statement "${name}" does not exist`), { code: '26000' })
          prepared.add(name)
          session.statements.add(name)
        }
        if (!held) idle.push(session)
        return { rows: [{ pid: session.pid }] }
      },
      async end() {
        ended++
      },
    }
  }
  return { connect, ended: () => ended, sessions: () => sessions }
}

test.each<[string, Kind, boolean | undefined]>([
  ['that keeps statements', { keeps: true }, true],
  ['that loses statements', { keeps: false }, false],
  ['that loses statements, with sessions of other programs', { keeps: false, others: 3 }, false],
  ['with one session, where the result is unknown', { keeps: false, size: 1 }, undefined],
])('a pooler %s', async (_, kind, expected) => {
  const { connect, ended } = pooler(kind)
  expect(await keepsStatements(connect)).toBe(expected)
  expect(ended()).toBeGreaterThan(0)
})

test('a server without a pooler gets only one query', async () => {
  const asked: unknown[] = []
  const client: PoolerClient = {
    processID: 7,
    async query(query) {
      asked.push(query)
      return { rows: [{ pid: 7 }] }
    },
    end: async () => undefined,
  }
  expect(await keepsStatements(async () => client)).toBe(true)
  expect(asked).toHaveLength(1)
})

test('the result is unknown when the database is unavailable', async () => {
  const away = Object.assign(new Error('x'), { code: 'ECONNREFUSED' })
  expect(await keepsStatements(() => Promise.reject(away))).toBeUndefined()
})
