// Names, addresses and ports of the three machines, all on loopback.
//
// A machine reaches another machine at 127.18.<from>.<to>, an address that only this pair uses. A link of `network.ts`
// listens there, so the traffic of one pair can be stopped. The hosts file of each machine contains these addresses.
export const MACHINES = [1, 2, 3] as const

/** Number for clients and HAProxy, which run on none of the machines. */
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

/** Seconds. `watchdog`: the primary's machine is reset after this time without an update of the leader lock. */
export interface Timing {
  ttl: number
  loopWait: number
  retryTimeout: number
  watchdog: number
}

/** All but `watchdog` are Patroni's minimum. A lost lock is released 2 * `watchdog` after its last renewal. */
export const TIMING: Timing = { ttl: 20, loopWait: 1, retryTimeout: 3, watchdog: 5 }
