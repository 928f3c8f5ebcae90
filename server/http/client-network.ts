// Defines what counts as one client: an IPv4 address, or the /64 network of an IPv6 address. Providers assign such a
// network to a single customer, who would otherwise have 2^64 addresses.
import { isIPv6 } from 'node:net'
import { groupsOf6 } from './ipv6-groups.ts'

const GROUPS_OF_NETWORK = 4
/** The prefix `::ffff:` of an IPv4 address, which a socket for both address families uses for IPv4 clients. */
const MAPPED = '0:0:0:0:0:ffff'

const bytesOf = (group = '0') => {
  const number = Number.parseInt(group, 16)
  return `${number >> 8}.${number & 255}`
}

/** @param address from the connection or a proxy; any text that is no IPv6 address is returned unchanged */
export function networkOf(address: string): string {
  // Most addresses are IPv4: a search for one character costs less than parsing an address.
  if (!address.includes(':') || !isIPv6(address)) return address
  const [withoutZone = ''] = address.split('%')
  const groups = groupsOf6(withoutZone)
  if (groups.slice(0, 6).join(':') === MAPPED) return `${bytesOf(groups[6])}.${bytesOf(groups[7])}`
  return `${groups.slice(0, GROUPS_OF_NETWORK).join(':')}::/64`
}
