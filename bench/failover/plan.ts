// Names, addresses and ports of the three machines, all on loopback.
//
// A machine reaches another one at an address that only this pair uses, 127.18.<from>.<to>, where a link of
// `network.ts` listens. Each machine's hosts file says so. What a link carries can be stopped for one pair only.
export const MACHINES = [1, 2, 3] as const

/** Clients and HAProxy, which are on none of the machines. */
export const OUTSIDE = 0

export const PORTS = { postgres: 25432, patroni: 28008, etcdClient: 22379, etcdPeer: 22380 } as const
export const HAPROXY_PORT = 25430

export const addressOf = (from: number, to: number): string => `127.18.${from}.${to}`
export const nameOf = (machine: number): string => `db${machine}`
export const hostOf = (machine: number): string => `${nameOf(machine)}.failover.test`
export const machineOf = (name: string): number => Number(name.replace(/^db/, ''))

/** The hosts file of one machine. */
export const hostsOf = (from: number): string =>
  ['127.0.0.1 localhost', ...MACHINES.map((to) => `${addressOf(from, to)} ${hostOf(to)}`), ''].join('\n')

/** Seconds. `watchdog`: after so long without an update of the leader lock, the primary's machine is reset. */
export interface Timing {
  ttl: number
  loopWait: number
  retryTimeout: number
  watchdog: number
}

/** `ttl` and the others: Patroni's least. A lock is released twice `watchdog` after its last renewal. */
export const TIMING: Timing = { ttl: 20, loopWait: 1, retryTimeout: 3, watchdog: 5 }
