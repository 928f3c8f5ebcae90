// Tests of the parts of the failover harness that its verdict depends on.
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/temporary-folder.ts'
import { haproxyOf } from './configuration.ts'
import { longestGap, quantile, tableOf } from './gaps.ts'
import { openLink } from './network.ts'
import { findPrograms } from './programs.ts'

describe('gaps', () => {
  test('longestGap returns the longest time without an acknowledged write, from the fault to the end', () => {
    expect(longestGap([0, 900, 1100, 5000, 5100], [1000, 5200])).toBe(3900)
    expect(longestGap([], [1000, 5200])).toBe(4200)
  })

  test('quantile returns one of the measured values', () => {
    const values = Array.from({ length: 100 }, (_, n) => n + 1)
    expect([0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([50, 99, 100])
    expect(quantile([7], 0.99)).toBe(7)
  })

  test('the table has a line for each fault and one for all rounds', () => {
    const rounds = [
      { fault: 'paused', gapMs: 12_340 },
      { fault: 'switchover', gapMs: 2000 },
    ]
    expect(tableOf(rounds).split('\n').slice(2)).toEqual([
      '| paused | 1 | 12.3 | 12.3 | 12.3 |',
      '| switchover | 1 | 2.0 | 2.0 | 2.0 |',
      '| all | 2 | 2.0 | 12.3 | 12.3 |',
    ])
  })
})

describe('a link', () => {
  const undo: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of undo.splice(0).toReversed()) await close()
  })

  async function startEcho(): Promise<number> {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined))
      socket.pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    undo.push(async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return (server.address() as AddressInfo).port
  }

  /** Starts an echo server behind a link. `dial` connects a client through the link. */
  async function openEcho() {
    const host = '127.0.0.1'
    const port = await startEcho()
    const at = { host, port: await freePort() }
    const link = await openLink([1, 2], at, { host, port })
    undo.push(link.close)
    const dial = () => {
      const socket = connect(at).setEncoding('utf8')
      let heard = ''
      socket.on('data', (text) => {
        heard += text
      })
      return { socket, heard: () => heard }
    }
    return { link, dial }
  }

  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return port
  }

  test('carries each byte once, also after a release without a hold', async () => {
    const { link, dial } = await openEcho()
    const { socket, heard } = dial()
    socket.write('a')
    await expect.poll(heard).toBe('a')
    link.release()
    socket.write('b')
    await expect.poll(heard).toBe('ab')
  })

  test('blocks old and new connections while it is held, and delivers the waiting data after the release', async () => {
    const { link, dial } = await openEcho()
    const old = dial()
    old.socket.write('a')
    await expect.poll(old.heard).toBe('a')
    link.hold()
    const late = dial()
    old.socket.write('b')
    late.socket.write('c')
    await once(late.socket, 'connect')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([old.heard(), late.heard()]).toEqual(['a', ''])
    link.release()
    await expect.poll(() => [old.heard(), late.heard()]).toEqual(['ab', 'c'])
  })
})

test('findPrograms names the missing programs and how to install them', async () => {
  const refused = expect(findPrograms('/nonexistent', 65_534)).rejects
  if (process.getuid?.() === 0) await refused.toThrow(/usr\/bin\/patroni[\s\S]*--root/)
  else await refused.toThrow(/as root/)
})

test.runIf(process.getuid?.() === 0)(
  'findPrograms rejects a user ID that is not in etc/passwd, and lists the existing IDs',
  async () => {
    const root = await temporaryFolder('failover')
    const programs = ['etcd', 'patroni', 'python3', 'haproxy'].map((name) =>
      join(root, name === 'haproxy' ? 'usr/sbin' : 'usr/bin', name),
    )
    for (const file of [...programs, join(root, 'usr/lib/postgresql/18/bin')]) {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, '', { mode: 0o755 })
    }
    await mkdir(join(root, 'etc'))
    await writeFile(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\npg:x:1000:1000::/:/bin/sh\n')
    expect(await findPrograms(root, 1000)).toMatchObject({ uid: 1000 })
    await expect(findPrograms(root, 65_534)).rejects.toThrow(/has no user 65534.*--uid: 0, 1000/)
  },
)

/** Leaves out comments, and the settings that differ when all programs run on one machine. */
const settingsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '' && !/^ *(?:#|maxconn|bind|server db|default-server)/.test(line))

test('HAProxy has the settings of the guide', async () => {
  const guide = await readFile(new URL('../../docs/operators/high-availability.md', import.meta.url), 'utf8')
  const [, block = ''] = /```haproxy\n([\s\S]*?)```/.exec(guide) ?? []
  expect(settingsOf(haproxyOf())).toEqual(settingsOf(block))
  const [shorter] = /default-server inter 500ms[^`]*/.exec(guide) ?? []
  expect(haproxyOf()).toContain(shorter)
})
