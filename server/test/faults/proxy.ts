// A proxy between the service and its database: it breaks connections in the ways networks do.

import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'

export interface FaultProxy {
  port: number
  readonly opened: number
  /** The number of connections open now, including cut ones. */
  readonly open: number
  /** Current connections stay open, but carry no more bytes; new connections work. */
  cut(): void
  /** Holds all data of all connections, old and new, until `release` passes it on. */
  hold(): void
  release(): void
  /** Resets every connection (RST). */
  reset(): void
  /** Simulates a missing machine: ends all connections, and refuses new ones until `accept`. */
  refuse(): void
  accept(): void
  close(): Promise<void>
}

interface Pair {
  sides: readonly [Socket, Socket]
  isCut: boolean
}

function pass(pair: Pair): void {
  const [near, far] = pair.sides
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('data', (piece) => {
      if (!pair.isCut) to.write(piece)
    })
    from.on('end', () => {
      if (!pair.isCut) to.end()
    })
    from.on('error', () => undefined)
    from.on('close', () => {
      if (!pair.isCut) to.destroy()
    })
  }
}

/** The address of a server, for a connection to it. */
export const targetOf = ({ host = '', port }: ClientConfig): NetConnectOpts =>
  host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port: Number(port) }

function resetAll(pairs: ReadonlySet<Pair>): void {
  for (const { sides } of pairs) {
    const [near, far] = sides
    near.resetAndDestroy()
    far.destroy()
  }
}

/** @param target the address of the database */
export async function startFaultProxy(target: ClientConfig): Promise<FaultProxy> {
  const pairs = new Set<Pair>()
  let [opened, isHeld, isRefusing] = [0, false, false]
  const setHeld = (pair: Pair) => {
    for (const side of pair.sides) isHeld ? side.pause() : side.resume()
  }
  const server = createServer({ allowHalfOpen: true }, (near) => {
    opened++
    if (isRefusing) return near.resetAndDestroy()
    const pair: Pair = { sides: [near, connect({ ...targetOf(target), allowHalfOpen: true })], isCut: false }
    pairs.add(pair)
    near.on('close', () => pairs.delete(pair))
    pass(pair)
    if (isHeld) setHeld(pair)
  })
  const reset = () => resetAll(pairs)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    get opened() {
      return opened
    },
    get open() {
      return pairs.size
    },
    cut() {
      for (const pair of pairs) pair.isCut = true
    },
    hold() {
      isHeld = true
      for (const pair of pairs) setHeld(pair)
    },
    release() {
      isHeld = false
      for (const pair of pairs) setHeld(pair)
    },
    reset,
    refuse() {
      isRefusing = true
      reset()
    },
    accept() {
      isRefusing = false
    },
    async close() {
      for (const { sides } of pairs) for (const side of sides) side.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export const through = (proxy: FaultProxy, target: ClientConfig): ClientConfig => ({
  ...target,
  ...{ host: '127.0.0.1', port: proxy.port },
})
