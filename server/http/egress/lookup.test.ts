import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { type AskServers, createLookup, type IpAddress, type Lookup, sharedLookup } from './lookup.ts'

const failing = async (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
const four = { address: '192.0.2.1', family: 4 }
const six = { address: '2001:db8::1', family: 6 }
const own = { address: '10.0.0.9', family: 4 }

type Answer = string[] | string
const servers = (v4: Answer, v6: Answer): AskServers => {
  const answer = async (given: Answer) => (typeof given === 'string' ? failing(given) : given)
  return { resolve4: () => answer(v4), resolve6: () => answer(v6) }
}
const system: Lookup = async () => [own]

test.each<[string, Answer, Answer, IpAddress[] | string]>([
  ['returns IPv4 and IPv6 addresses', [four.address], [six.address], [four, six]],
  ['returns IPv4 addresses without IPv6', [four.address], 'ENODATA', [four]],
  ['returns IPv6 addresses without IPv4', 'ENODATA', [six.address], [six]],
  ['returns one kind when there is no answer for the other', [four.address], 'ETIMEOUT', [four]],
  ['asks the system for a name that DNS does not have', 'ENOTFOUND', 'ENOTFOUND', [own]],
  ['asks the system when no DNS server is reachable', 'ECONNREFUSED', 'ECONNREFUSED', [own]],
  ['does not ask the system when the DNS servers are silent', 'ETIMEOUT', 'ETIMEOUT', 'ETIMEOUT'],
  ['rejects when the DNS servers fail for one kind', 'ENODATA', 'ESERVFAIL', 'ESERVFAIL'],
])('%s', async (_, v4, v6, expected) => {
  const found = createLookup(servers(v4, v6), system)('hooks.example')
  if (typeof expected === 'string') await expect(found).rejects.toMatchObject({ code: expected })
  else expect(await found).toEqual(expected)
})

test('asks the system for a name without a dot', async () => {
  const lookup = createLookup(servers([four.address], [six.address]), system)
  expect(await lookup('receiver')).toEqual([own])
})

test('asks the system for two names at a time, and answers all of them', async () => {
  const asked: { host: string; answer: (addresses: IpAddress[]) => void }[] = []
  const lookup = createLookup(servers([], []), (host) => {
    const { promise, resolve } = Promise.withResolvers<IpAddress[]>()
    asked.push({ host, answer: resolve })
    return promise
  })
  const found = Promise.all(['a', 'b', 'c', 'd'].map(lookup))
  await new Promise(setImmediate)
  expect(asked.map(({ host }) => host)).toEqual(['a', 'b'])
  // Each answer starts the next lookup, so the list grows during the loop.
  for (const { host, answer } of asked) {
    answer([{ address: host, family: 4 }])
    await new Promise(setImmediate)
  }
  expect((await found).flat().map(({ address }) => address)).toEqual(['a', 'b', 'c', 'd'])
})

test('rejects after the timeout of a silent DNS server, without asking the system', async () => {
  const silent = createSocket('udp4')
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const resolver = new Resolver({ timeout: 50, tries: 1 })
  resolver.setServers([`127.0.0.1:${silent.address().port}`])
  await expect(createLookup(resolver, system)('slow.example')).rejects.toMatchObject({ code: 'ETIMEOUT' })
  silent.close()
})

test('concurrent lookups of a name share an answer, and a later lookup gets a new one', async () => {
  let asked = 0
  const lookup = sharedLookup(async () => [{ ...four, family: ++asked }])
  const [one, two] = await Promise.all([lookup('a.example'), lookup('a.example')])
  expect([one, asked]).toEqual([two, 1])
  await lookup('a.example')
  expect(asked).toBe(2)
})
