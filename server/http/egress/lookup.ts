// Finds all addresses of a name. Slow name servers of one domain do not delay other lookups.
import { lookup as lookupInSystem, Resolver } from 'node:dns/promises'
import { errorCode } from '../../db/pool.ts'

export interface IpAddress {
  address: string
  family: number
}

/** Finds all addresses of a name; rejects if there are none. */
export type Lookup = (host: string) => Promise<readonly IpAddress[]>

/** Queries DNS servers for each kind of address. */
export interface AskServers {
  resolve4(host: string): Promise<string[]>
  resolve6(host: string): Promise<string[]>
}

/** Concurrent requests for a name share one lookup. */
export function sharedLookup(lookup: Lookup): Lookup {
  const underWay = new Map<string, ReturnType<Lookup>>()
  return (host) => {
    const known = underWay.get(host)
    if (known) return known
    const found = lookup(host).finally(() => underWay.delete(host))
    underWay.set(host, found)
    return found
  }
}

/** At most `most` lookups at a time; the others wait. */
function boundedLookup(lookup: Lookup, most: number): Lookup {
  let free = most
  const waiting: (() => void)[] = []
  const enter = async () => {
    if (free > 0) free--
    else await new Promise<void>((go) => waiting.push(go))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return async (host) => {
    await enter()
    return lookup(host).finally(leave)
  }
}

// The name is not in DNS, or no DNS server is reachable. Only then is the system asked: for a name whose servers are
// silent it would be as slow.
const UNKNOWN = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']

async function askServers(servers: AskServers, host: string): Promise<IpAddress[]> {
  const results = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)])
  const addresses = results.flatMap((result, at) =>
    result.status === 'fulfilled'
      ? result.value.map((address) => ({ address, family: at === 0 ? 4 : 6 }))
      : [],
  )
  if (addresses.length > 0) return addresses
  const reasons = results.map((result) => (result.status === 'rejected' ? result.reason : undefined))
  throw reasons.find((reason) => !UNKNOWN.includes(errorCode(reason) ?? '')) ?? reasons[0]
}

/** Each lookup of the system holds one of four threads that files and passwords also need. */
const SYSTEM_MOST = 2

/**
 * Names with a dot are looked up by DNS queries, which hold no thread while the servers are silent. Other names, and
 * names that are not in DNS, are looked up by the system, which also reads /etc/hosts.
 */
export function createLookup(servers: AskServers, system: Lookup): Lookup {
  const bounded = boundedLookup(system, SYSTEM_MOST)
  return async (host) => {
    if (!host.includes('.')) return bounded(host)
    try {
      return await askServers(servers, host)
    } catch (error) {
      if (UNKNOWN.includes(errorCode(error) ?? '')) return bounded(host)
      throw error
    }
  }
}

// Two tries take slightly less than the time limit of a connection.
const ANSWER_MS = 1500

/** The lookup of this machine. */
export function openLookup(): Lookup {
  // A new resolver for each name, because it reads the DNS servers only once, and they change with the network.
  const resolver = () => new Resolver({ timeout: ANSWER_MS, tries: 2 })
  const servers: AskServers = {
    resolve4: (host) => resolver().resolve4(host),
    resolve6: (host) => resolver().resolve6(host),
  }
  return createLookup(servers, (host) => lookupInSystem(host, { all: true, order: 'verbatim' }))
}
