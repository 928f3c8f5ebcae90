// All addresses of a name, found so that slow name servers of one domain delay no other lookup.
import { lookup as lookupInSystem, Resolver } from 'node:dns/promises'
import { errorCode } from '../../db/pool.ts'

export interface IpAddress {
  address: string
  family: number
}

/** All addresses of a name; rejects when it has none. */
export type Lookup = (host: string) => Promise<readonly IpAddress[]>

/** The answers of DNS servers for each kind of address. */
export interface AskServers {
  resolve4(host: string): Promise<string[]>
  resolve6(host: string): Promise<string[]>
}

/** Requests for a name that is being looked up share that one lookup. */
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

// The servers know no such name, or none can be asked. Only then is it worth while to look elsewhere: a name
// whose servers are silent would be as slow there.
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

/** The system's own lookup holds one of the four threads that files and passwords need as well. */
const SYSTEM_MOST = 2

/**
 * Names with a dot are asked of the DNS servers, which takes no thread, however long they are silent. Others, and
 * what DNS does not know, are looked up as the system does it, with /etc/hosts and the rest.
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

// Twice so long is just less than a connection may take.
const ANSWER_MS = 1500

/** The lookup of this machine. */
export function openLookup(): Lookup {
  // A new one for each name: it reads once which servers to ask, and that changes with the network.
  const resolver = () => new Resolver({ timeout: ANSWER_MS, tries: 2 })
  const servers: AskServers = {
    resolve4: (host) => resolver().resolve4(host),
    resolve6: (host) => resolver().resolve6(host),
  }
  return createLookup(servers, (host) => lookupInSystem(host, { all: true, order: 'verbatim' }))
}
