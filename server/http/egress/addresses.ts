// Finds addresses that are not on the public internet: those of this machine, of its network, or reserved ones.
//
// The IANA special-purpose registries for IPv4 and IPv6 (www.iana.org/assignments/iana-ipv4-special-registry and
// -ipv6-). Addresses are compared as numbers, because text has too many forms.
import { isIPv4, isIPv6 } from 'node:net'
import { groupsOf6 } from '../ipv6-groups.ts'

type Range = readonly [first: string, prefixBits: number, kind: string]

const RANGES_4: readonly Range[] = [
  ['0.0.0.0', 8, 'an address of this machine'],
  ['10.0.0.0', 8, 'a private address'],
  ['100.64.0.0', 10, 'a private address of a provider'],
  ['127.0.0.0', 8, 'an address of this machine'],
  // In Azure, internal services of the network have this fixed public address.
  ['168.63.129.16', 32, 'a cloud provider’s internal address'],
  ['169.254.0.0', 16, 'a link-local address'],
  ['172.16.0.0', 12, 'a private address'],
  ['192.0.0.0', 24, 'a reserved address'],
  ['192.0.2.0', 24, 'an address for documentation'],
  ['192.31.196.0', 24, 'a reserved address'],
  ['192.52.193.0', 24, 'a reserved address'],
  ['192.88.99.0', 24, 'a reserved address'],
  ['192.168.0.0', 16, 'a private address'],
  ['192.175.48.0', 24, 'a reserved address'],
  ['198.18.0.0', 15, 'an address for benchmarks'],
  ['198.51.100.0', 24, 'an address for documentation'],
  ['203.0.113.0', 24, 'an address for documentation'],
  ['224.0.0.0', 4, 'a multicast address'],
  ['240.0.0.0', 4, 'a reserved address'],
]

const RANGES_6: readonly Range[] = [
  ['::', 128, 'an address of this machine'],
  ['::1', 128, 'an address of this machine'],
  // These contain an IPv4 address. No public server has such an address, so all are refused.
  ['::', 96, 'an IPv4 address inside IPv6'],
  ['::ffff:0:0', 96, 'an IPv4 address inside IPv6'],
  ['64:ff9b::', 96, 'an IPv4 address inside IPv6 (NAT64)'],
  ['64:ff9b:1::', 48, 'an IPv4 address inside IPv6 (NAT64)'],
  ['2001::', 32, 'an IPv4 address inside IPv6 (Teredo)'],
  ['2002::', 16, 'an IPv4 address inside IPv6 (6to4)'],
  ['2001::', 23, 'a reserved address'],
  ['2001:db8::', 32, 'an address for documentation'],
  ['2620:4f:8000::', 48, 'a reserved address'],
  ['3fff::', 20, 'an address for documentation'],
  ['fc00::', 7, 'a private address'],
  ['fe80::', 10, 'a link-local address'],
  ['fec0::', 10, 'a private address'],
  ['ff00::', 8, 'a multicast address'],
]

/** Only this eighth of IPv6 is assigned; the rest is reserved, or special and not listed here. */
const GLOBAL_6: Range = ['2000::', 3, '']

const numberOf4 = (text: string) => text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)

const numberOf6 = (text: string) =>
  groupsOf6(text).reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)

interface Compiled {
  first: bigint
  /** The number of bits by which an address is shifted before the comparison. */
  shift: bigint
  kind: string
}

const compile =
  (bits: number, numberOf: (text: string) => bigint) =>
  ([first, prefixBits, kind]: Range): Compiled => {
    const shift = BigInt(bits - prefixBits)
    return { first: numberOf(first) >> shift, shift, kind }
  }

const COMPILED_4 = RANGES_4.map(compile(32, numberOf4))
const COMPILED_6 = RANGES_6.map(compile(128, numberOf6))
const COMPILED_GLOBAL_6 = compile(128, numberOf6)(GLOBAL_6)

const isWithin = (address: bigint, { first, shift }: Compiled) => address >> shift === first

function specialKind6(address: bigint): string | undefined {
  const kind = COMPILED_6.find((range) => isWithin(address, range))?.kind
  return kind ?? (isWithin(address, COMPILED_GLOBAL_6) ? undefined : 'a reserved address')
}

/**
 * @returns the kind of a special address, such as "a private address"; undefined for an address on the public internet.
 * A text that cannot be read as an address, such as one with a zone, is special too.
 */
export function specialKind(address: string): string | undefined {
  if (isIPv4(address)) {
    const number = numberOf4(address)
    return COMPILED_4.find((range) => isWithin(number, range))?.kind
  }
  if (isIPv6(address) && !address.includes('%')) return specialKind6(numberOf6(address))
  return 'an address that cannot be checked'
}
