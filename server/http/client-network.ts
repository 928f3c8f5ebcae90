// What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which providers give to a single
// customer. Counted one by one, that customer would have 2^64 addresses.
import { isIPv6 } from 'node:net'
import { groupsOf6 } from './ipv6-groups.ts'

const GROUPS_OF_NETWORK = 4
/** `::ffff:` and an IPv4 address: how a socket that listens to both families names an IPv4 client. */
const MAPPED = '0:0:0:0:0:ffff'

const bytesOf = (group = '0') => {
  const number = Number.parseInt(group, 16)
  return `${number >> 8}.${number & 255}`
}

/** @param address as the connection or a proxy names it; what is no IPv6 address stays as it is */
export function networkOf(address: string): string {
  // Nearly all: a look for one character costs less than reading an address.
  if (!address.includes(':') || !isIPv6(address)) return address
  const [withoutZone = ''] = address.split('%')
  const groups = groupsOf6(withoutZone)
  if (groups.slice(0, 6).join(':') === MAPPED) return `${bytesOf(groups[6])}.${bytesOf(groups[7])}`
  return `${groups.slice(0, GROUPS_OF_NETWORK).join(':')}::/64`
}
