// The connections and requests of each attack.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Attackers, AttackName } from './attacks.ts'
import type { Party } from './fixture.ts'

export interface Attack {
  url: string
  attackers: Attackers
  answers: Record<string, number>
  isOver: boolean
}

const agent = new Agent({ connections: null, bodyTimeout: 0, headersTimeout: 0 })
const PAUSE_MS = 100
/** Pause after a refused request: without it, each attack would become a plain flood of refused requests. */
const REFUSED_MS = 1000

function count({ answers }: Attack, what: string | number): void {
  answers[what] = (answers[what] ?? 0) + 1
}

/** Repeats `one`, each time after the last has ended, until the attack is over. */
async function repeat(attack: Attack, one: () => Promise<unknown>): Promise<void> {
  while (!attack.isOver)
    await one().catch(async () => {
      count(attack, 'closed')
      await delay(PAUSE_MS)
    })
}

const times = (count: number, one: (n: number) => void) => {
  for (let n = 0; n < count; n++) one(n)
}

async function get(attack: Attack, key: string, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const { statusCode, body } = await agent.request({ origin: attack.url, method: 'GET', path, headers })
  count(attack, statusCode)
  await body.dump({ limit: Number.MAX_SAFE_INTEGER })
  if (statusCode >= 400) await delay(REFUSED_MS)
}

interface Held {
  address: string
  /** Pause before a new connection, after the service closed the last one. */
  againMs?: number
}

/** Opens a connection for `use`, and opens a new one each time it is closed. */
function hold(attack: Attack, held: Held, use: (socket: Socket) => void): void {
  const { address, againMs = PAUSE_MS } = held
  const { hostname, port } = new URL(attack.url)
  const socket = connect({ port: Number(port), host: hostname, localAddress: address })
  socket.on('error', () => undefined)
  socket.once('connect', () => use(socket))
  socket.once('close', () => {
    if (attack.isOver) return
    count(attack, 'closed')
    setTimeout(() => hold(attack, held, use), againMs)
  })
}

const HOME = { address: '127.0.0.1' }
const PEOPLE = '/api/v1/objects/people/records'

const largeReads = async (attack: Attack) => {
  const { largeRecord, keys } = attack.attackers
  times(400, () => void repeat(attack, () => get(attack, keys[0] ?? '', `${PEOPLE}/${largeRecord}`)))
}

/** Numbers of pipelined requests: as many as the service accepts on a connection, and far more. */
const AHEAD = [16, 300]

/** 60 keys, each with pipelined requests on four connections. */
const unreadAnswers = async (attack: Attack) => {
  const { largeRecord, keys } = attack.attackers
  const request = (key: string) =>
    `GET ${PEOPLE}/${largeRecord} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`
  times(keys.length * 4, (n) =>
    hold(attack, { ...HOME, againMs: REFUSED_MS }, (socket) => {
      socket.pause()
      socket.write(request(keys[n % keys.length] ?? '').repeat(AHEAD[n % AHEAD.length] ?? 1))
    }),
  )
}

/** Each request declares the largest allowed body and sends a byte every half second. */
const slowBodies = async (attack: Attack) => {
  const { parties } = attack.attackers
  const head = ({ key }: Party) =>
    `POST /api/v1/objects/companies/records/bulk HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${8 * 1024 ** 2}\r\n\r\n`
  times(parties.length * 40, (n) =>
    hold(attack, HOME, (socket) => {
      socket.resume()
      const party = parties[n % parties.length]
      if (party) socket.write(head(party))
      const timer = setInterval(() => socket.write(' '), 500)
      socket.once('close', () => clearInterval(timer))
    }),
  )
}

const manyKeys = async (attack: Attack) => {
  const { keys } = attack.attackers
  times(keys.length * 4, (n) =>
    repeat(attack, () => get(attack, keys[n % keys.length] ?? '', `${PEOPLE}?limit=1`)),
  )
}

/** Open files that are left for the process itself. */
const OWN_FILES = 500
const HALF_OPEN_MAX = 15_000
/** The wait that the service requests from refused clients: a shorter one makes this a flood of connections. */
const HALF_OPEN_AGAIN_MS = 10_000

const openFilesMax = () =>
  Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])

const halfOpen = async (attack: Attack) => {
  const sockets = Math.min(HALF_OPEN_MAX, openFilesMax() - OWN_FILES)
  for (let n = 0; n < sockets; n++) {
    hold(attack, { ...HOME, againMs: HALF_OPEN_AGAIN_MS }, (socket) => {
      socket.resume()
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-Long: a')
    })
    if (n % 500 === 0) await delay(10)
  }
}

const streams = async (attack: Attack) => {
  const { members } = attack.attackers
  const head = ({ slug, cookie }: Pick<Party, 'slug' | 'cookie'>) =>
    `GET /dashboard/api/organizations/${slug}/events/stream HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n\r\n`
  for (let n = 0; n < members.length * 20; n++) {
    hold(attack, { address: `127.0.1.${1 + (n % 8)}` }, (socket) => {
      const member = members[n % members.length]
      socket.once('data', (text) => count(attack, String(text).slice(9, 12))).resume()
      if (member) socket.write(head(member))
    })
    if (n % 50 === 0) await delay(10)
  }
}

/** Reads one chunk of the export per second. */
async function readSlowly(attack: Attack, { slug, cookie }: Party): Promise<void> {
  const { statusCode, body } = await agent.request({
    ...{ origin: attack.url, method: 'POST', body: JSON.stringify({ columns: ['name', 'job_title'] }) },
    path: `/dashboard/api/organizations/${slug}/objects/people/records/export`,
    headers: { cookie, 'content-type': 'application/json' },
  })
  count(attack, statusCode)
  for await (const _ of body) {
    if (attack.isOver) return
    await delay(1000)
  }
}

const slowExports = async (attack: Attack) =>
  times(6, (n) => {
    const party = attack.attackers.parties[n % 3]
    if (party) void repeat(attack, () => readSlowly(attack, party))
  })

export const ATTACKS: Readonly<Record<AttackName, (attack: Attack) => Promise<void>>> = {
  'large reads of one key': largeReads,
  'unread answers': unreadAnswers,
  'slow bodies': slowBodies,
  'many keys': manyKeys,
  'half-open connections': halfOpen,
  'live streams': streams,
  'slow exports': slowExports,
}
