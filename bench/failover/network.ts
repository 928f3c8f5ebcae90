// The links between the machines: one TCP forwarder for each pair, direction and port, whose traffic can be stopped.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { addressOf, MACHINES, OUTSIDE, PORTS } from './plan.ts'

export interface Link {
  from: number
  to: number
  /** Stops all connections, old and new, until `release`. The waiting data then passes, like TCP after lost packets. */
  hold(): void
  release(): void
  close(): Promise<void>
}

interface Pair {
  near: Socket
  far: Socket | undefined
}

function join(near: Socket, far: Socket): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('error', () => undefined)
    from.on('close', () => to.destroy())
  }
  near.pipe(far)
  far.pipe(near)
}

/** Removes the pipe during the hold, because a pipe resumes a paused stream. */
function setHeld({ near, far }: Pair, isHeld: boolean): void {
  if (!far) return
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    if (isHeld) from.unpipe(to).pause()
    else from.pipe(to)
  }
}

/** @param at address to listen on @param target address to forward to */
export async function openLink(
  [from, to]: readonly [number, number],
  at: { host: string; port: number },
  target: { host: string; port: number },
): Promise<Link> {
  const pairs = new Set<Pair>()
  let isHeld = false
  const reach = (pair: Pair) => {
    pair.far = connect(target)
    join(pair.near, pair.far)
  }
  const server: Server = createServer((near) => {
    const pair: Pair = { near, far: undefined }
    pairs.add(pair)
    near.on('error', () => undefined).on('close', () => pairs.delete(pair))
    if (isHeld) near.pause()
    else reach(pair)
  })
  server.listen(at.port, at.host)
  await once(server, 'listening')
  return {
    ...{ from, to },
    hold() {
      if (isHeld) return
      isHeld = true
      for (const pair of pairs) setHeld(pair, true)
    },
    release() {
      if (!isHeld) return
      isHeld = false
      for (const pair of pairs) {
        if (pair.far) setHeld(pair, false)
        else reach(pair)
      }
    },
    async close() {
      for (const { near, far } of pairs) {
        near.destroy()
        far?.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}

export interface Network {
  /** Cuts the machine off from the other machines. @param isReachable keeps the links from clients and HAProxy */
  isolate(machine: number, isReachable: boolean): void
  heal(): void
  close(): Promise<void>
}

export async function openNetwork(): Promise<Network> {
  const pairs = [OUTSIDE, ...MACHINES].flatMap((from) =>
    MACHINES.filter((to) => to !== from).map((to) => [from, to] as const),
  )
  const links = await Promise.all(
    pairs.flatMap(([from, to]) =>
      Object.values(PORTS).map((port) =>
        openLink([from, to], { host: addressOf(from, to), port }, { host: addressOf(to, to), port }),
      ),
    ),
  )
  return {
    isolate(machine, isReachable) {
      for (const link of links) {
        if (link.from !== machine && link.to !== machine) continue
        if (link.from !== OUTSIDE || !isReachable) link.hold()
      }
    },
    heal() {
      for (const link of links) link.release()
    },
    close: async () => void (await Promise.all(links.map((link) => link.close()))),
  }
}
