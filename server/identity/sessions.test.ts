import { expect, onTestFinished, test } from 'vitest'
import { createSessions } from './sessions.ts'

type Options = Parameters<typeof createSessions>[0]

/** Sessions with an identity service that answers on request of the test, and every call when the test ends. */
function slowSessions() {
  const asked: { cookie: string; answer: () => void }[] = []
  let isOver = false
  const readSession = (headers: Headers) =>
    new Promise((resolve) => {
      const answer = () => resolve({ headers: new Headers(), response: null })
      if (isOver) answer()
      else asked.push({ cookie: headers.get('cookie') ?? '', answer })
    })
  onTestFinished(() => {
    isOver = true
    for (const { answer } of asked) answer()
  })
  const auth = async () => ({ readSession })
  const sessions = createSessions({ auth, diskSpace: { shortage: undefined } } as unknown as Options)
  const find = (ip: string, name: string) =>
    sessions.find({ ip, headers: { cookie: `rapport.session_token=${name}` } })
  const names = () => asked.map(({ cookie }) => cookie.split('=')[1])
  return { find, names, answerFirst: () => asked.shift()?.answer() }
}

test('a client with many requests does not delay sessions of another client', async () => {
  const { find, names, answerFirst } = slowSessions()
  const many = Array.from({ length: 50 }, (_, n) => find('198.51.100.7', `many ${n}`))
  const other = find('203.0.113.9', 'other')
  await expect.poll(names).toEqual(['many 0', 'many 1', 'other'])
  answerFirst()
  await many[0]
  await expect.poll(names).toEqual(['many 1', 'other', 'many 2'])
  answerFirst()
  answerFirst()
  expect(await other).toEqual({ signedIn: undefined, cookies: [] })
})

test('a client with more than a thousand waiting requests gets a 503', async () => {
  const { find, names } = slowSessions()
  for (let n = 0; n < 1002; n++) void find('198.51.100.7', `many ${n}`).catch(() => undefined)
  await expect(find('198.51.100.7', 'late')).rejects.toMatchObject({ code: 'unavailable' })
  void find('203.0.113.9', 'other')
  await expect.poll(names).toContain('other')
})

test.each([
  ['25006', 'read-only'],
  ['53100', 'full'],
])('with a database that refuses changes (%s, %s), a session is read, not prolonged', async (code) => {
  const asked: boolean[] = []
  const readSession = async (_headers: Headers, isProlonged: boolean) => {
    asked.push(isProlonged)
    if (isProlonged) throw Object.assign(new Error('refused'), { code })
    return { headers: new Headers(), response: null }
  }
  const sessions = createSessions({
    auth: async () => ({ readSession }),
    diskSpace: { shortage: undefined },
  } as unknown as Options)
  const find = () => sessions.find({ ip: '198.51.100.7', headers: { cookie: 'rapport.session_token=x' } })
  await find()
  expect(asked).toEqual([true, false])
  await find()
  expect(asked).toEqual([true, false, false])
})

test.each(['25006', '53100'])('an expired session that cannot be deleted (%s) is ignored', async (code) => {
  const readSession = () => Promise.reject(Object.assign(new Error('refused'), { code }))
  const sessions = createSessions({
    auth: async () => ({ readSession }),
    diskSpace: { shortage: undefined },
  } as unknown as Options)
  const found = await sessions.find({
    ip: '198.51.100.7',
    headers: { cookie: 'rapport.session_token=x' },
  })
  expect(found).toEqual({ signedIn: undefined, cookies: [] })
})

test.each([
  ['ECONNRESET', 2],
  ['57P01', 2],
  ['ECONNREFUSED', 1],
  ['ETIMEDOUT', 1],
  ['42703', 1],
])(
  'a session that cannot be read (%s) is read %i times, and then the error is thrown',
  async (code, times) => {
    const failure = Object.assign(new Error('x'), { code })
    let asked = 0
    const readSession = () => {
      asked++
      return Promise.reject(failure)
    }
    const sessions = createSessions({
      auth: async () => ({ readSession }),
      diskSpace: { shortage: undefined },
    } as unknown as Options)
    const find = sessions.find({ ip: '198.51.100.7', headers: { cookie: 'rapport.session_token=x' } })
    await expect(find).rejects.toBe(failure)
    expect(asked).toBe(times)
  },
)
