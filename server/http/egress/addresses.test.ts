import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { specialKind } from './addresses.ts'
import { hostOf } from './target.ts'

describe('specialKind', () => {
  // The first and the last address of each range, and the neighbouring addresses outside if they are public.
  test.each([
    ['0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
    ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0', '255.255.255.255', '223.255.255.255', undefined],
    ['::', '1fff:ffff::', undefined, '2000::'],
    ['::1', '::ffff:8.8.8.8', undefined, undefined],
    ['64:ff9b::808:808', '64:ff9b:1::1', undefined, undefined],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
    ['2001:db8::', '2001:db8:ffff:ffff::', '2001:db7::', '2001:db9::'],
    ['2002::', '2002:ffff::', '2001:ffff::', '2003::'],
    ['2620:4f:8000::', '2620:4f:8000:ffff::', '2620:4f:7fff::', '2620:4f:8001::'],
    ['3fff::', '3fff:fff:ffff::', '3ffe:ffff::', '3fff:1000::'],
    ['4000::', '5f00::1', '3fff:ffff::', undefined],
    ['fc00::', 'fdff:ffff::', undefined, undefined],
    ['fd00:ec2::254', 'fe80::1', undefined, undefined],
    ['fec0::', 'feff::', undefined, undefined],
    ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
    ['fe80::1%eth0', 'not an address', '2606:4700::1111', '8.8.8.8'],
  ])('%s to %s are special; %s and %s are not', (first, last, before, after) => {
    expect([specialKind(first), specialKind(last)]).toEqual([expect.any(String), expect.any(String)])
    for (const outside of [before, after])
      if (outside !== undefined) expect([outside, specialKind(outside)]).toEqual([outside, undefined])
  })

  test('returns a description for users', () => {
    expect(specialKind('127.0.0.1')).toBe('an address of this machine')
    expect(specialKind('192.168.1.1')).toBe('a private address')
    expect(specialKind('::ffff:127.0.0.1')).toBe('an IPv4 address inside IPv6')
  })
})

describe('a special address is found in any notation in a URL', () => {
  const kindOf = (host: string) => {
    const written = `https://${host}/`
    return URL.canParse(written) ? specialKind(hostOf(new URL(written))) : 'no URL'
  }

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '0',
    '169.254.169.254',
    '0xA9FEA9FE',
    '[::ffff:a9fe:a9fe]',
  ])('%s', (host) => {
    expect(kindOf(host)).toEqual(expect.any(String))
    expect(kindOf(host)).not.toBe('no URL')
  })

  const anyPart = fc.integer({ min: 0, max: 255 })
  const anyBase = fc.constantFrom(
    (part: number) => `${part}`,
    (part: number) => `0x${part.toString(16)}`,
    (part: number) => `0X${part.toString(16).toUpperCase()}`,
    (part: number) => `0${part.toString(8)}`,
    (part: number) => `000${part.toString(8)}`,
  )
  const anyLoopback = fc.tuple(anyPart, anyPart, anyPart).map((rest) => [127, ...rest] as const)

  test('loopback addresses in any base, in one to four parts', () => {
    const anyBases = fc.tuple(anyBase, anyBase, anyBase, anyBase)
    fc.assert(
      fc.property(anyLoopback, anyBases, fc.integer({ min: 1, max: 4 }), (parts, bases, count) => {
        const kept = parts.slice(0, count - 1)
        const last = parts.slice(count - 1).reduce((sum, part) => sum * 256 + part, 0)
        const host = [...kept, last].map((part, at) => bases[at]?.(part)).join('.')
        expect([host, kindOf(host)]).toEqual([host, 'an address of this machine'])
      }),
    )
  })

  test('IPv4 addresses in every kind of IPv6 address, in any notation', () => {
    const anyPrefix = fc.constantFrom('::ffff:', '::FFFF:', '0:0:0:0:0:ffff:', '::', '64:ff9b::', '2002:')
    fc.assert(
      fc.property(anyLoopback, anyPrefix, fc.boolean(), ([a, b, c, d], prefix, isDotted) => {
        const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
        const host = prefix === '2002:' ? `[2002:${high}:${low}::]` : `[${prefix}${high}:${low}]`
        const dotted = `[${prefix}${[a, b, c, d].join('.')}]`
        expect(kindOf(isDotted && prefix !== '2002:' ? dotted : host)).toMatch(/^an IPv4 address inside IPv6/)
      }),
    )
  })

  test('public addresses are accepted in both families', () => {
    const anyPublic = fc
      .ipV4()
      .filter(
        (address) => !/^(?:0|10|100|127|168|169|172|192|198|203|22[4-9]|23\d|24\d|25\d)\./.test(address),
      )
    fc.assert(
      fc.property(anyPublic, (address) => {
        expect(specialKind(address)).toBeUndefined()
      }),
    )
    const anyGroup = fc.integer({ min: 0, max: 0xffff }).map((group) => group.toString(16))
    fc.assert(
      fc.property(fc.array(anyGroup, { minLength: 7, maxLength: 7 }), (groups) => {
        expect(specialKind(`2a00:${groups.join(':')}`)).toBeUndefined()
      }),
    )
  })
})
